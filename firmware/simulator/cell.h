/* An HX711 on its two pins; it notices what the real chip would take amiss. */
#ifndef CELL_H
#define CELL_H

#include "analog.h"

struct cell {
    avr_t *avr;
    const struct options *options;
    struct analog *analog;
    avr_irq_t *data;
    unsigned next;              /* conversion of the signals that comes next */
    uint32_t bits;
    int pulses;                 /* of the read in progress, -1: nothing to read */
    bool clock, playing;
    avr_cycle_count_t rose;
    avr_cycle_count_t awake;    /* before that the chip is off or settles */
    avr_cycle_count_t due;      /* of the conversion that comes next, while no recording plays */
    uint64_t reads, powered_down, wrong_pulses, overtaken;
};

void cell_begin(struct cell *cell, avr_t *avr, const struct options *options, struct analog *analog);

#endif
