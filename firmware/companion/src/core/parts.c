#include "fast.h" /* first: it counts from here on */
#include "parts.h"

#include <string.h>

#include "bytes.h"
#include "wire.h"

#define MARKS ((TC_SENSORS + 7u) / 8u)
#define SCANS_A_SECOND (1000000ul / TC_PERIOD_US)
#define BOUND_SCANS (TC_OLDEST_MS * 8ul / 10ul * 1000ul / TC_PERIOD_US) /* a fifth is kept for parts that must wait */
#define OTHERS 180u /* bytes a second of hello, health and answers */
#define MOST_SUMMED 4u /* scans: a small processor divides slowly, and by 1 to 4 it need not */
#define CLASSES 5u

/* Bytes on the wire of a part; it is shorter than 254 + 3, so that COBS adds one byte, or two. */
static uint16_t wire_size(uint8_t loads, uint16_t given)
{
    return TC_WIRE_SIZE(TC_PART_SIZE + loads * TC_PART_LOAD_SIZE + MARKS + TC_PACKED_SIZE(given));
}

/* Sensors that each part gives in turn. */
static uint16_t in_turn(uint8_t every)
{
    return (uint16_t)((TC_SENSORS * (uint32_t)every + BOUND_SCANS - 1u) / BOUND_SCANS);
}

/* Makes means of the sums, rounded. Written out, because a small processor shifts and divides slowly. */
static void take_means(struct tc_parts *parts)
{
    uint16_t *sum = parts->sum;

    if (parts->scans == 4u)
        for (uint16_t k = 0; k < TC_SENSORS; k++)
            sum[k] = (sum[k] + 2u) >> 2;
    else if (parts->scans == 3u)
        for (uint16_t k = 0; k < TC_SENSORS; k++)
            sum[k] = (uint16_t)((sum[k] + 1ul) * 21846u >> 16); /* a third, exact up to 32,768 */
    else if (parts->scans == 2u)
        for (uint16_t k = 0; k < TC_SENSORS; k++)
            sum[k] = (sum[k] + 1u) >> 1;
}

bool tc_parts_rate(struct tc_parts *parts, uint8_t every, uint16_t budget)
{
    if (!every || every > TC_MOST_EVERY)
        return false;
    uint8_t loads = (uint8_t)(every * 4u / 5u + 2u); /* 80 a second, and one that was just missed */
    if (loads > TC_MAX_LOADS)
        loads = TC_MAX_LOADS;
    uint32_t needed = (wire_size(loads, in_turn(every)) * SCANS_A_SECOND + every - 1u) / every + OTHERS;
    if (budget < needed)
        return false;
    parts->every = every;
    parts->wait = 1;
    parts->budget = budget;
    parts->bytes = 0;
    parts->scans = 0;
    return true;
}

bool tc_parts_tick(struct tc_parts *parts, const uint16_t *hall)
{
    if (parts->scans == MOST_SUMMED) { /* older scans count less and less */
        for (uint16_t k = 0; k < TC_SENSORS; k++)
            parts->sum[k] = (parts->sum[k] + 1u) >> 1;
        parts->scans /= 2u;
    }
    if (!parts->scans)
        memcpy(parts->sum, hall, sizeof(parts->sum));
    else
        for (uint16_t k = 0; k < TC_SENSORS; k++)
            parts->sum[k] += hall[k];
    parts->scans++;

    uint16_t most = (uint16_t)((uint32_t)parts->budget * (parts->every + 2u) / SCANS_A_SECOND);

    parts->bytes += parts->budget / SCANS_A_SECOND;
    parts->hundredths += parts->budget % SCANS_A_SECOND;
    if (parts->hundredths >= SCANS_A_SECOND) {
        parts->hundredths -= SCANS_A_SECOND;
        parts->bytes++;
    }
    if (parts->bytes > most)
        parts->bytes = most;
    if (parts->wait)
        parts->wait--;
    return parts->wait == 0;
}

bool tc_parts_spend(struct tc_parts *parts, uint16_t wire_bytes)
{
    if (wire_bytes > parts->bytes)
        return false;
    parts->bytes -= wire_bytes;
    return true;
}

/* How much a sensor has changed since it was sent: 0 not at all, 1 within the noise, CLASSES most. */
static uint8_t change(uint16_t now, uint16_t sent)
{
    uint16_t by = now > sent ? now - sent : sent - now;
    return !by ? 0 : by < TC_CHANGE_COUNTS ? 1 : by < 8u ? 2 : by < 16u ? 3 : by < 32u ? 4 : CLASSES;
}

static bool mark(uint8_t *marks, uint16_t sensor)
{
    uint8_t bit = (uint8_t)(1u << (sensor & 7u));
    if (marks[sensor >> 3] & bit)
        return false;
    marks[sensor >> 3] |= bit;
    return true;
}

static uint16_t after(uint16_t sensor)
{
    return sensor + 1u == TC_SENSORS ? 0 : sensor + 1u;
}

/* Marks up to room sensors and gives how many. */
static uint16_t choose(struct tc_parts *parts, uint8_t *marks, uint16_t room, const uint16_t *hall)
{
    uint16_t chosen = 0, counts[CLASSES + 1u] = {0};
    uint8_t classes[TC_SENSORS];

    for (uint16_t k = in_turn(parts->every); k; k--, parts->turn = after(parts->turn))
        chosen += mark(marks, parts->turn);
    for (uint16_t k = 0; k < TC_SENSORS; k++)
        counts[classes[k] = change(hall[k], parts->sent[k])]++;
    for (uint8_t class = CLASSES; class; class--) {
        uint16_t sensor = parts->turn; /* where not all fit, those go whose turn comes soonest */
        for (uint16_t k = 0; counts[class] && k < TC_SENSORS && chosen < room; k++, sensor = after(sensor))
            if (classes[sensor] == class)
                chosen += mark(marks, sensor);
    }
    for (uint16_t k = 0; k < TC_SENSORS && chosen < room; k++, parts->turn = after(parts->turn))
        chosen += mark(marks, parts->turn);
    return chosen;
}

uint16_t tc_parts_say(struct tc_parts *parts, uint8_t *out, uint8_t boot, uint16_t seq, uint32_t ticks,
                      const struct tc_conversions *conversions, uint16_t *sent)
{
    uint16_t *hall = parts->sum; /* which become the means here */
    uint8_t loads = tc_conversions_due(conversions, sent);
    uint16_t least = in_turn(parts->every), room = least, given[TC_SENSORS], count = 0;

    if (wire_size(loads, least) > parts->bytes)
        return 0;
    room += (uint16_t)(parts->bytes - wire_size(loads, least)) / 5u * 4u; /* four sensors are five bytes */
    if (room > TC_SENSORS)
        room = TC_SENSORS;
    while (wire_size(loads, room) > parts->bytes)
        room--;

    out[0] = TC_PART_ID;
    out[TC_PART_BOOT] = boot;
    tc_put16(out + TC_PART_SEQ, seq);
    tc_put32(out + TC_PART_TICKS, ticks);
    tc_put16(out + TC_PART_SENSORS, TC_SENSORS);
    out[TC_PART_LOADS] = loads;
    uint16_t at = TC_PART_SIZE;
    for (; loads; loads--, at += TC_PART_LOAD_SIZE) {
        uint8_t k = (*sent)++ % TC_MAX_LOADS;
        int32_t before = (int32_t)(ticks - conversions->ring[k].ticks) / 16;
        before = before > 32767 ? 32767 : before < -32768 ? -32768 : before;
        tc_put16(out + at + TC_PART_LOAD_BEFORE, (uint16_t)before);
        tc_put32(out + at + TC_PART_LOAD_VALUE, (uint32_t)conversions->ring[k].value);
    }
    uint8_t *marks = out + at;
    memset(marks, 0, MARKS);
    take_means(parts);
    choose(parts, marks, room, hall);
    for (uint16_t k = 0; k < TC_SENSORS; k++)
        if (marks[k >> 3] >> (k & 7u) & 1u)
            parts->sent[k] = given[count++] = hall[k];
    parts->scans = 0;
    at += MARKS;
    at += tc_pack10(out + at, given, count);
    tc_parts_spend(parts, TC_WIRE_SIZE(at));
    parts->wait = parts->every;
    return at;
}
