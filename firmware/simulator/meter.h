/* What the processor does: time awake, waits of interrupts, depth of the stack. */
#ifndef METER_H
#define METER_H

#include <sim_avr.h>
#include <stdbool.h>

#define METERED 8

struct meter {
    avr_t *avr;
    struct {
        const char *name;
        struct meter *meter;
        uint8_t vector;
        avr_cycle_count_t raised, worst;
        uint64_t count;
        bool waiting;
    } interrupts[METERED];
    avr_cycle_count_t slept, since;
    uint16_t lowest_stack;
};

void meter_begin(struct meter *meter, avr_t *avr);

/* Forgets what was measured so far (the start-up). */
void meter_clear(struct meter *meter);

#endif
