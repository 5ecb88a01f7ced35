/* The load cell's converter (HX711): what a read is worth, and how the cell does.

   The port moves the pins and measures; what the times and bits mean is decided here. Whatever is no weight becomes
   an error code outside the 24-bit range (messages.toml), never a number that could pass for one. Every wait ends. */
#ifndef TC_LOAD_H
#define TC_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

#define TC_LOAD_PULSES 25u       /* 24 bits, and one that chooses channel A, gain 128 */
#define TC_LOAD_HIGH_US 50u      /* clock high for longer, and the chip may go to sleep (from 60 us on it does) */
#define TC_LOAD_READ_US 2000u    /* a read longer than this may have met a new conversion (one each 12.5 ms) */
#define TC_LOAD_LATE_US 40000u   /* three times the pause between conversions, and a bit */
#define TC_LOAD_ABSENT_US 1000000ul
#define TC_LOAD_SETTLING 4u      /* conversions thrown away after power-down: 50 ms at 80 a second */
#define TC_LOAD_PATIENCE 4u      /* reads in a row that fail before the chip is switched off and on */
#define TC_LOAD_CONSTANT 40u     /* the very same counts so often in a row: no cell, or a broken wire */
#define TC_LOAD_WILD 0x200000l   /* counts from one to the next that no weight makes... */
#define TC_LOAD_RANDOM 8u        /* ...so much oftener than not: nothing drives the data line; no value is a weight */

/* What the port saw of a read. */
struct tc_load_read {
    uint32_t ready_us;  /* when the conversion was over: the data line fell */
    uint32_t bits;      /* 24 of them, the first one highest */
    uint16_t high_us;   /* longest time that the clock stayed high */
    uint16_t took_us;   /* from the first pulse to the last */
    bool line_after;    /* the data line after the last pulse: high while the next conversion runs */
};

struct tc_load {
    uint32_t heard_us, told_us;
    int32_t before;
    uint16_t errors;
    uint8_t state, settling, failed, same, wild;
    bool restart;       /* the port should switch the chip off and on */
    uint8_t conversions, in_second;     /* reads that gave a weight: so far in this second, in the last one */
    int32_t lowest, highest;
    uint32_t spread;    /* highest less lowest of the last second */
};

void tc_load_begin(struct tc_load *load, uint32_t now_us);

/* The value to send of a read: counts, or one of TC_LOAD_ERROR_. */
int32_t tc_load_take(struct tc_load *load, const struct tc_load_read *read, uint32_t now_us);

/* To be asked while the data line is high: 0, or the error code to send because nothing came for so long. */
int32_t tc_load_missing(struct tc_load *load, uint32_t now_us);

/* Once a second: closes the figures of the second. */
void tc_load_second(struct tc_load *load);

#endif
