/* Random and damaged bytes for everything of the core that reads bytes; built with the address and undefined-behaviour
   sanitizers. `fuzz ROUNDS SEED`; vectors, one frame in hex a line, come from standard input and are damaged too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/command.h"
#include "core/parts.h"
#include "core/wire.h"

#define MOST_VECTORS 256
#define MOST_BYTES 1200

static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % below;
}

static uint8_t vectors[MOST_VECTORS][MOST_BYTES];
static uint16_t sizes[MOST_VECTORS];
static unsigned vector_count;

static void read_vectors(void)
{
    static char line[2 * MOST_BYTES + 8];
    while (vector_count < MOST_VECTORS && fgets(line, sizeof line, stdin)) {
        unsigned byte, n = 0;
        while (n < MOST_BYTES && sscanf(line + 2 * n, "%2x", &byte) == 1)
            vectors[vector_count][n++] = (uint8_t)byte;
        sizes[vector_count++] = (uint16_t)n;
    }
}

static uint16_t damage(uint8_t *bytes, uint16_t size)
{
    for (uint32_t changes = 1 + draw(3); changes; changes--) {
        uint16_t at = (uint16_t)draw(size + 1u);
        switch (draw(4)) {
        case 0:
            if (at < size)
                bytes[at] ^= (uint8_t)(1u << draw(8));
            break;
        case 1:
            if (at < size)
                bytes[at] = (uint8_t)draw(256);
            break;
        case 2:
            size = at; /* the rest is cut off */
            break;
        default:
            if (size < MOST_BYTES) {
                memmove(bytes + at + 1, bytes + at, (size_t)(size - at));
                bytes[at] = (uint8_t)draw(256);
                size++;
            }
        }
    }
    return size;
}

/* Seals a command, damages it, and checks that nothing but itself is ever heard of it. */
static unsigned command_round(struct tc_ear *ear)
{
    static const uint8_t ids[] = {TC_GREET_ID, TC_START_ID,    TC_STOP_ID, TC_RATE_ID,
                                  TC_DIAGNOSE_ID, TC_IDENTIFY_ID, TC_NAME_ID};
    uint8_t payload[TC_NAME_SIZE + TC_MAX_TABLE_ID], wire[MOST_BYTES + 2];
    uint16_t size = (uint16_t)(1u + draw(sizeof payload)), end;
    struct tc_command sent, heard;
    unsigned count = 0;

    for (uint16_t k = 0; k < size; k++)
        payload[k] = (uint8_t)draw(256);
    payload[0] = ids[draw(sizeof ids)];
    bool good = tc_command_read(payload, size, &sent);
    end = tc_seal(wire, MOST_BYTES, 0, payload, size);
    bool whole = draw(4) == 0;
    if (!whole)
        end = damage(wire, end);
    wire[end++] = 0;
    for (uint16_t k = 0; k < end; k++) {
        if (!tc_hear(ear, wire[k], &heard))
            continue;
        count++;
        /* a CRC of 16 bits lets one in 65,536 pass: then at least it has a form that exists, or is told unknown */
        if (heard.code == TC_DONE_CODE_OK && heard.id < TC_GREET_ID)
            abort();
        if (whole && (!good ? heard.code != TC_DONE_CODE_UNKNOWN : heard.id != sent.id || heard.code != sent.code))
            abort();
    }
    if (whole && count != 1)
        abort();
    return count;
}

static struct tc_conversions *weighed;

static void meanwhile(void)
{
    if (!draw(20))
        tc_conversions_add(weighed, draw(0xFFFFFFFF), (int32_t)draw(0xFFFFFFFF));
}

/* A scan of anything through the stream budget: it keeps to its bytes, and to the room of a message. */
static void parts_round(struct tc_parts *parts, struct tc_conversions *conversions, uint16_t *sent)
{
    static uint16_t hall[TC_SENSORS];
    uint8_t payload[TC_MAX_SAID];

    if (!draw(50)) /* mostly a thin link, where not everything fits */
        tc_parts_rate(parts, (uint8_t)draw(20), (uint16_t)(draw(4) ? 1000u + draw(9000) : draw(0x10000)));
    for (uint32_t k = draw(20); k; k--)
        tc_conversions_add(conversions, draw(0xFFFFFFFF), (int32_t)draw(0xFFFFFFFF));
    for (uint32_t k = draw(TC_SENSORS); k; k--)
        hall[draw(TC_SENSORS)] = (uint16_t)draw(1024);
    for (uint32_t k = draw(3) ? 0 : draw(41); k; k--) { /* whole blocks from rail to rail */
        uint32_t first = draw(TC_SENSORS / TC_PART_BLOCK) * TC_PART_BLOCK;
        for (uint32_t n = 0, count = hall[first] < 512u ? 1023u : 0; n < TC_PART_BLOCK; n++)
            hall[first + n] = (uint16_t)count;
    }
    if (!tc_parts_tick(parts, hall))
        return;
    weighed = conversions;
    uint16_t bytes = parts->budget.bytes;
    uint16_t most = bytes > parts->budget.held ? bytes - parts->budget.held : 0;
    uint16_t size = tc_parts_say(parts, payload, 1, 2, draw(0xFFFFFFFF), conversions, sent, meanwhile);
    if (size > sizeof payload || (size && TC_WIRE_SIZE(size) > most) ||
        bytes - parts->budget.bytes != (size ? (int)TC_WIRE_SIZE(size) : 0))
        abort();
}

int main(int count, char **words)
{
    unsigned long rounds = count > 1 ? strtoul(words[1], NULL, 10) : 100000ul, accepted = 0;
    struct tc_ear ear;
    struct tc_parts parts = {0};
    struct tc_conversions conversions = {0};
    uint16_t sent = 0;
    uint8_t bytes[MOST_BYTES + 1];

    state = 0x9E3779B97F4A7C15ull ^ (count > 2 ? strtoul(words[2], NULL, 10) * 0xD1B54A32D192ED03ull : 0);
    read_vectors();
    tc_ear_begin(&ear);
    tc_parts_rate(&parts, TC_PARTS_EVERY, TC_PARTS_BUDGET);
    for (unsigned long k = 0; k < rounds; k++) {
        uint16_t size = (uint16_t)draw(MOST_BYTES);
        if (vector_count && draw(2)) {
            unsigned v = draw(vector_count);
            size = sizes[v];
            memcpy(bytes, vectors[v], size);
            size = damage(bytes, size);
        } else {
            size %= 1u << draw(11);
            for (uint16_t j = 0; j < size; j++)
                bytes[j] = (uint8_t)draw(256);
        }
        /* a heap copy of exactly this size: a read or write beside it is seen */
        uint8_t *copy = malloc(size ? size : 1u);
        memcpy(copy, bytes, size);
        int16_t got = tc_unseal(copy, size);
        if (got > (int16_t)size)
            abort();
        struct tc_command command;
        if (got > 0)
            tc_command_read(copy, (uint16_t)got, &command);
        free(copy);
        for (uint16_t j = 0; j < size; j++)
            tc_hear(&ear, bytes[j], &command);
        tc_hear(&ear, 0, &command); /* so that the next round starts clean */
        accepted += command_round(&ear);
        parts_round(&parts, &conversions, &sent);
    }
    printf("%lu rounds, %lu commands heard, %u frames refused (counted modulo 65536)\n", rounds, accepted, ear.refused);
    return 0;
}
