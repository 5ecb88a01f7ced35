#include "say.h"

#include <string.h>

#include "bytes.h"

void tc_conversions_add(struct tc_conversions *conversions, uint32_t ticks, int32_t value)
{
    uint8_t at = conversions->count % TC_MAX_LOADS;
    conversions->ring[at].ticks = ticks;
    conversions->ring[at].value = value;
    conversions->count++;
}

uint8_t tc_conversions_due(const struct tc_conversions *conversions, uint16_t *sent)
{
    uint16_t due = conversions->count - *sent;
    if (due > TC_MAX_LOADS) {
        due = TC_MAX_LOADS;
        *sent = conversions->count - TC_MAX_LOADS;
    }
    return (uint8_t)due;
}

static uint16_t text(uint8_t *out, uint16_t at, const char *words, uint16_t most)
{
    uint16_t size = (uint16_t)strlen(words);
    if (size > most)
        size = most;
    memcpy(out + at, words, size);
    return at + size;
}

uint16_t tc_say_hello(uint8_t *out, uint32_t boot, uint32_t period_us, const char *table_id)
{
    out[0] = TC_HELLO_ID;
    out[TC_HELLO_PROTOCOL] = TC_PROTOCOL;
    tc_put16(out + TC_HELLO_DEFINITION, TC_DEFINITION);
    tc_put32(out + TC_HELLO_BOOT, boot);
    tc_put16(out + TC_HELLO_SENSORS, TC_SENSORS);
    tc_put32(out + TC_HELLO_PERIOD_US, period_us);
    return text(out, TC_HELLO_SIZE, table_id, TC_MAX_TABLE_ID);
}

uint16_t tc_say_frame(uint8_t *out, uint8_t boot, uint16_t seq, uint32_t ticks,
                      const struct tc_conversions *conversions, uint16_t *sent, const uint16_t *hall)
{
    uint8_t loads = tc_conversions_due(conversions, sent);
    uint16_t at = TC_FRAME_SIZE;

    out[0] = TC_FRAME_ID;
    out[TC_FRAME_BOOT] = boot;
    tc_put16(out + TC_FRAME_SEQ, seq);
    tc_put32(out + TC_FRAME_TICKS, ticks);
    tc_put16(out + TC_FRAME_SENSORS, TC_SENSORS);
    out[TC_FRAME_LOADS] = loads;
    for (; loads; loads--, at += TC_FRAME_LOAD_SIZE) {
        uint8_t k = (*sent)++ % TC_MAX_LOADS;
        tc_put32(out + at + TC_FRAME_LOAD_TICKS, conversions->ring[k].ticks);
        tc_put32(out + at + TC_FRAME_LOAD_VALUE, (uint32_t)conversions->ring[k].value);
    }
    return at + tc_pack10(out + at, hall, TC_SENSORS);
}

uint16_t tc_say_log(uint8_t *out, uint32_t ticks, const char *words)
{
    out[0] = TC_LOG_ID;
    tc_put32(out + TC_LOG_TICKS, ticks);
    return text(out, TC_LOG_SIZE, words, TC_MAX_TEXT);
}

uint16_t tc_say_health(uint8_t *out, uint32_t ticks, const struct tc_condition *condition,
                       const struct tc_load *load, const uint16_t *spare)
{
    out[0] = TC_HEALTH_ID;
    tc_put32(out + TC_HEALTH_TICKS, ticks);
    out[TC_HEALTH_RESET] = condition->reset;
    out[TC_HEALTH_BUSY] = condition->busy;
    tc_put16(out + TC_HEALTH_LATENCY_US, condition->latency_us);
    tc_put16(out + TC_HEALTH_LATE, condition->late);
    tc_put16(out + TC_HEALTH_DROPPED, condition->dropped);
    tc_put16(out + TC_HEALTH_REFUSED, condition->refused);
    out[TC_HEALTH_LOAD] = load->state;
    tc_put16(out + TC_HEALTH_LOAD_ERRORS, load->errors);
    out[TC_HEALTH_SPARES] = TC_SPARES;
    return TC_HEALTH_SIZE + tc_pack10(out + TC_HEALTH_SIZE, spare, TC_SPARES);
}

uint16_t tc_say_diagnosis(uint8_t *out, uint32_t ticks, const struct tc_wires *wires, const struct tc_load *load)
{
    out[0] = TC_DIAGNOSIS_ID;
    tc_put32(out + TC_DIAGNOSIS_TICKS, ticks);
    out[TC_DIAGNOSIS_STUCK_LOW] = wires->stuck_low;
    out[TC_DIAGNOSIS_STUCK_HIGH] = wires->stuck_high;
    tc_put16(out + TC_DIAGNOSIS_UNGROUNDED, wires->ungrounded);
    tc_put16(out + TC_DIAGNOSIS_BLEED, wires->bleed);
    out[TC_DIAGNOSIS_CONVERSIONS] = load->in_second;
    tc_put32(out + TC_DIAGNOSIS_SPREAD, load->spread);
    return TC_DIAGNOSIS_SIZE;
}

uint16_t tc_say_done(uint8_t *out, uint8_t command, uint8_t code)
{
    out[0] = TC_DONE_ID;
    out[TC_DONE_COMMAND] = command;
    out[TC_DONE_CODE] = code;
    return TC_DONE_SIZE;
}
