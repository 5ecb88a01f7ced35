/* The board's test of its own wires: select lines, ground channels, and what one sample leaves in the next.

   The last address of each multiplexer is ground. The port reads it once within a scan, at the scan's pace and after
   the channel before it, and once long after the address was set; and it reads, likewise long after, the four
   addresses that differ from it by one select line. */
#ifndef TC_WIRES_H
#define TC_WIRES_H

#include <stdint.h>

#include "channels.h"

#define TC_LINES 4u
#define TC_GROUND (TC_ADDRESSES - 1u)
#define TC_GROUND_COUNTS 24u /* ground reads below this; the lowest output of a sensor is 0.2 V, 41 counts */
#define TC_SAME_COUNTS 2u    /* two reads of one channel do not differ by more */

struct tc_wires_read {
    uint16_t paced[TC_MULTIPLEXERS];             /* ground, within a scan */
    uint16_t settled[TC_MULTIPLEXERS];           /* ground, long after */
    uint16_t beside[TC_LINES][TC_MULTIPLEXERS];  /* address TC_GROUND ^ (1 << line), long after */
};

struct tc_wires {
    uint8_t stuck_low, stuck_high; /* select lines, bit b is line b */
    uint16_t ungrounded;           /* multiplexers, bit m is multiplexer m */
    uint16_t bleed;                /* counts */
};

struct tc_wires tc_wires_judge(const struct tc_wires_read *read);

#endif
