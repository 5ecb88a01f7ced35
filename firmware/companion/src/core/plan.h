/* The order of the conversions of a scan.

   Multiplexer by multiplexer (each on an ADC input of its own), address by address, so that the sensors come in the
   table's order, evenly over the scan. The first conversion after the input has changed is made twice and the first
   thrown away: the sampling capacitor still holds something of the multiplexer before. The address is changed as
   soon as the converter has taken its sample, so that the next sensor settles while this one is converted. */
#ifndef TC_PLAN_H
#define TC_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "channels.h"

#define TC_TURNS (TC_ADDRESSES + 1u)                 /* conversions on a multiplexer, the discarded one included */
#define TC_CONVERSIONS (TC_MULTIPLEXERS * TC_TURNS)  /* in a scan */

/* A conversion: turn 0 is the discarded one, turn k reads address k - 1. */
struct tc_plan {
    uint8_t multiplexer, turn;
};

static inline uint8_t tc_plan_address(uint8_t turn)
{
    return turn ? (uint8_t)(turn - 1u) : 0u;
}

/* The address to select while the conversion of this turn runs: that of the turn after it. */
static inline uint8_t tc_plan_next_address(uint8_t turn)
{
    return turn & (TC_ADDRESSES - 1u);
}

/* Goes on to the next conversion; false after the last one, and then the plan is at its start again. */
static inline bool tc_plan_next(struct tc_plan *plan)
{
    if (++plan->turn < TC_TURNS)
        return true;
    plan->turn = 0;
    if (++plan->multiplexer < TC_MULTIPLEXERS)
        return true;
    plan->multiplexer = 0;
    return false;
}

/* Sorts a scan (TC_CHANNELS counts, multiplexer by multiplexer) into sensors in the table's order and spares. */
void tc_plan_sort(const uint16_t *scan, uint16_t *hall, uint16_t *spare);

#endif
