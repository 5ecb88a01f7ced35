/* The sensors, the multiplexers and the converter's input, as far as the emulator leaves them out. */
#ifndef ANALOG_H
#define ANALOG_H

#include <sim_avr.h>

#include "options.h"
#include "signals.h"

struct analog {
    avr_t *avr;
    const struct options *options;
    struct signals signals;
    avr_irq_t *inputs;
    uint8_t address;                /* as the pins say */
    avr_cycle_count_t moved;        /* when they changed last */
    uint8_t sampling_address;       /* while a sample is being taken */
    unsigned input, input_before;
    double line[16];                /* what each multiplexer's output still held when the address changed */
    double held;                    /* the last sample */
    unsigned scans;                 /* begun since the start */
    avr_cycle_count_t play_began;   /* start of the scan of frame 0, 0 before it */
    uint64_t conversions, moved_while_sampling, short_settles;
};

void analog_begin(struct analog *analog, avr_t *avr, const struct options *options, struct signals signals);

/* The frame that the current scan measures: below 0 before the play, beyond the last after it. */
int analog_played(const struct analog *analog);

#endif
