/* The messages of the board, but for parts: each writes a payload and gives its size (see messages.toml). */
#ifndef TC_SAY_H
#define TC_SAY_H

#include <stdint.h>

#include "channels.h"
#include "load.h"
#include "messages.h"
#include "packing.h"
#include "wires.h"

#define TC_MAX_TABLE_ID 32u

/* Bytes of the longest payload that this board sends. */
#define TC_MAX_SAID (TC_FRAME_SIZE + TC_MAX_LOADS * TC_FRAME_LOAD_SIZE + TC_PACKED_SIZE(TC_SENSORS))

/* The newest load conversions; each link remembers how many of them it has sent. */
struct tc_conversions {
    struct {
        uint32_t ticks;
        int32_t value;
    } ring[TC_MAX_LOADS];
    uint16_t count; /* since boot, wraps */
};

void tc_conversions_add(struct tc_conversions *conversions, uint32_t ticks, int32_t value);

/* How many a link that has sent all before *sent still has to send; too old ones are given up. */
uint8_t tc_conversions_due(const struct tc_conversions *conversions, uint16_t *sent);

struct tc_condition {
    uint8_t reset, busy;
    uint16_t latency_us, late, dropped, refused;
};

uint16_t tc_say_hello(uint8_t *out, uint32_t boot, uint32_t period_us, const char *table_id);
uint16_t tc_say_frame(uint8_t *out, uint8_t boot, uint16_t seq, uint32_t ticks,
                      const struct tc_conversions *conversions, uint16_t *sent, const uint16_t *hall);
uint16_t tc_say_log(uint8_t *out, uint32_t ticks, const char *text);
uint16_t tc_say_health(uint8_t *out, uint32_t ticks, const struct tc_condition *condition,
                       const struct tc_load *load, const uint16_t *spare);
uint16_t tc_say_diagnosis(uint8_t *out, uint32_t ticks, const struct tc_wires *wires, const struct tc_load *load);
uint16_t tc_say_done(uint8_t *out, uint8_t command, uint8_t code);

#endif
