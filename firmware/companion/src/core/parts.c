#include "fast.h" /* first: it counts from here on */
#include "parts.h"

#include <string.h>

#include "blocks.h"
#include "bytes.h"
#include "differences.h"
#include "wire.h"

#define BLOCKS ((TC_SENSORS + TC_PART_BLOCK - 1u) / TC_PART_BLOCK)
#define SCANS_A_SECOND (1000000ul / TC_PERIOD_US)
#define BOUND_SCANS (TC_OLDEST_MS * 8ul / 10ul * 1000ul / TC_PERIOD_US) /* a fifth is kept for parts that must wait */
#define OTHERS 180u /* bytes a second of hello, health and answers, at most */
#define MOST_SUMMED 4u /* scans: their sum is their mean in quarters of a count */
#define MOST_COARSE 5u
/* Counts and coarser. What halves leave over is less than the noise for which they are taken; added to the next mean it
   would make that one's differences so large that it has to be in halves, too. */
#define MADE_UP_FOR 2u
#define MOST 0xFFF
#define LONGEST TC_PACKED_SIZE(TC_SENSORS) /* bytes of bits */

static uint8_t size_of(uint8_t block)
{
    return block + 1u < BLOCKS ? TC_PART_BLOCK : (uint8_t)(TC_SENSORS - (BLOCKS - 1u) * TC_PART_BLOCK);
}

static uint8_t after(uint8_t block)
{
    return block + 1u == BLOCKS ? 0 : block + 1u;
}

/* Blocks of which a part gives bases, at most. */
static uint8_t in_turn(uint8_t every)
{
    return (uint8_t)((BLOCKS * (uint32_t)every + BOUND_SCANS - 1u) / BOUND_SCANS);
}

/* Of how many blocks this part gives bases, so that the round is over in time; more while the host may know none. */
static uint8_t bases_due(struct tc_parts *parts, uint16_t bits)
{
    uint8_t bases = 0, most = (uint8_t)(bits / 4u * 3u / (TC_PART_BLOCK * TC_BASE_BITS));

    parts->owed += BLOCKS * parts->budget.every;
    for (; parts->owed >= BOUND_SCANS; parts->owed -= BOUND_SCANS)
        bases++;
    if (parts->unknown > bases && most > bases)
        bases = most < parts->unknown ? most : parts->unknown;
    parts->unknown -= bases < parts->unknown ? bases : parts->unknown;
    return bases;
}

/* Bits of a part that gives nothing but its bases. */
static uint16_t least(uint8_t every)
{
    return (uint16_t)(in_turn(every) * TC_PART_BLOCK * TC_BASE_BITS + BLOCKS * TC_CODE_BITS);
}

/* Makes means in quarters of a count of the sums. Written out, because a small processor shifts and divides slowly. */
static void take_means(struct tc_parts *parts)
{
    int16_t *sum = parts->sum;

    if (parts->scans == 3u)
        for (uint16_t k = 0; k < TC_SENSORS; k++)
            sum[k] = (int16_t)((sum[k] * 4l + 1) * 21846 / 65536); /* a third */
    else if (parts->scans == 2u)
        for (uint16_t k = 0; k < TC_SENSORS; k++)
            sum[k] *= 2;
    else if (parts->scans == 1u)
        for (uint16_t k = 0; k < TC_SENSORS; k++)
            sum[k] *= 4;
}

bool tc_parts_rate(struct tc_parts *parts, uint8_t every, uint16_t budget)
{
    if (!every || every > TC_MOST_EVERY)
        return false;
    uint8_t loads = (uint8_t)(every * 4u / 5u + 2u); /* 80 a second, and one that was just missed */
    if (loads > TC_MAX_LOADS)
        loads = TC_MAX_LOADS;
    uint16_t size = TC_WIRE_SIZE(TC_PART_SIZE + loads * TC_PART_LOAD_SIZE + (least(every) + 7u) / 8u);
    uint32_t needed = (size * SCANS_A_SECOND + every - 1u) / every + OTHERS;
    if (budget < needed)
        return false;
    tc_budget_begin(&parts->budget, every, budget);
    parts->owed = 0;
    parts->unknown = BLOCKS;
    parts->scans = 0;
    memset(parts->sum, 0, sizeof(parts->sum));
    return true;
}

void tc_parts_anew(struct tc_parts *parts)
{
    parts->unknown = BLOCKS;
}

#if TC_SENSORS % 4u
#error "the sensors are added four at a time"
#endif

/* Four at a time: this runs for every scan. */
static void add(int16_t *sum, const uint16_t *hall)
{
    const uint16_t *end = hall + TC_SENSORS;

    for (; hall < end; hall += 4, sum += 4) {
        sum[0] += (int16_t)hall[0];
        sum[1] += (int16_t)hall[1];
        sum[2] += (int16_t)hall[2];
        sum[3] += (int16_t)hall[3];
    }
}

bool tc_parts_tick(struct tc_parts *parts, const uint16_t *hall)
{
    if (parts->scans == MOST_SUMMED) { /* older scans count less and less */
        for (uint16_t k = 0; k < TC_SENSORS; k++)
            parts->sum[k] /= 2;
        parts->scans /= 2u;
    }
    add(parts->sum, hall);
    parts->scans++;
    return tc_budget_tick(&parts->budget);
}

/* What a block reads is expected of it. */
static void take_bases(struct tc_parts *parts, uint8_t block)
{
    const int16_t *now = parts->sum + block * TC_PART_BLOCK;
    int16_t *expected = parts->expected + block * TC_PART_BLOCK;

    for (uint8_t k = size_of(block); k; k--, now++, expected++)
        *expected = *now < 0 ? 0 : *now > MOST ? MOST : *now; /* with what was left over it may be beyond */
}

/* How coarse the differences have to be, so that all of them fit into so many bits: 0 quarters of a count, 1 halves... */
static uint8_t coarse_for(const struct tc_weight *weights, uint16_t bits, void (*meanwhile)(void))
{
    for (uint8_t coarse = 0; coarse < MOST_COARSE; coarse++) {
        meanwhile();
        uint16_t needed = 0;
        uint8_t block = 0, code;
        for (; block < BLOCKS && needed <= bits; block++)
            needed += !coarse && weights[block].sum >= 0x8000u ? 0x7FFFu : /* folded finely it would overflow */
                      TC_CODE_BITS + tc_block_size(tc_folded_sum(&weights[block], coarse), size_of(block), &code);
        if (needed <= bits)
            return coarse;
    }
    return MOST_COARSE;
}

/* Writes the blocks in their round; the bytes, never more than `left` bits. Differences that do not fit are absent. */
static uint16_t put_blocks(struct tc_parts *parts, uint8_t *out, uint8_t bases, uint8_t coarse, uint16_t left,
                           const struct tc_weight *weights, void (*meanwhile)(void))
{
    struct tc_bits bits = {out, 0, 0};
    uint8_t block = parts->turn;

    left -= bases * TC_PART_BLOCK * TC_BASE_BITS + (BLOCKS - bases) * TC_CODE_BITS; /* what remains for differences */
    for (uint8_t k = 0; k < BLOCKS; k++, block = after(block)) {
        int16_t *now = parts->sum + block * TC_PART_BLOCK, *expected = parts->expected + block * TC_PART_BLOCK;
        uint8_t count = size_of(block), code = TC_ABSENT;
        bool whole = parts->scans == MOST_SUMMED;
        uint16_t folded[TC_PART_BLOCK];

        meanwhile();
        if (k < bases) {
            for (uint8_t n = 0; n < count; n++)
                tc_put_base(&bits, (uint16_t)expected[n]);
        } else if (k < bases + parts->unknown) {
            tc_put_code(&bits, TC_ABSENT);
        } else {
            tc_block_size(tc_folded_sum(&weights[block], coarse), count, &code);
            uint8_t shift = coarse + tc_left_out(code);
            /* each is rounded up by a half at most: so this is what it takes at most, whatever was estimated before */
            uint16_t most = tc_folded_sum(&weights[block], shift) + (shift ? count : 0);
            if (tc_code_size(most, count, code) > left)
                code = TC_ABSENT;
            tc_put_code(&bits, code);
            if (code != TC_ABSENT) {
                whole = whole && !tc_left_out(code);
                left -= tc_code_size(tc_fold(now, expected, count, shift, folded), count, code);
                tc_put_differences(&bits, folded, count, code);
            }
        }
        /* what is left over is in the unit of a sum of four; of a large difference it is too much to be made up for */
        if (code == TC_ABSENT || !whole || coarse < MADE_UP_FOR)
            memset(now, 0, sizeof(now[0]) * count);
    }
    for (uint8_t k = bases; k; k--)
        parts->turn = after(parts->turn);
    return (uint16_t)(tc_put_end(&bits) - out);
}

uint16_t tc_parts_say(struct tc_parts *parts, uint8_t *out, uint8_t boot, uint16_t seq, uint32_t ticks,
                      const struct tc_conversions *conversions, uint16_t *sent, void (*meanwhile)(void))
{
    uint8_t loads = tc_conversions_due(conversions, sent), bases, first = parts->turn;
    uint16_t at = TC_PART_SIZE;
    struct tc_weight weights[BLOCKS];
    uint16_t bits = 8u * tc_budget_room(&parts->budget, at + loads * TC_PART_LOAD_SIZE, LONGEST);

    if (bits < least(parts->budget.every))
        return 0;
    out[TC_PART_LOADS] = loads;
    for (; loads; loads--, at += TC_PART_LOAD_SIZE) {
        uint8_t k = (*sent)++ % TC_MAX_LOADS;
        int32_t before = (int32_t)(ticks - conversions->ring[k].ticks) / 16;
        before = before > 32767 ? 32767 : before < -32768 ? -32768 : before;
        tc_put16(out + at + TC_PART_LOAD_BEFORE, (uint16_t)before);
        tc_put32(out + at + TC_PART_LOAD_VALUE, (uint32_t)conversions->ring[k].value);
    }
    meanwhile();
    take_means(parts);
    bases = bases_due(parts, bits);
    for (uint8_t k = bases; k; k--, first = after(first))
        take_bases(parts, first);
    meanwhile();
    for (uint8_t k = 0; k < BLOCKS; k++)
        weights[k] = tc_weigh(parts->sum + k * TC_PART_BLOCK, parts->expected + k * TC_PART_BLOCK, size_of(k));
    for (uint8_t k = parts->unknown; k; k--, first = after(first))
        weights[first] = (struct tc_weight){0, 0}; /* they are absent */
    uint8_t coarse = coarse_for(weights, bits - bases * TC_PART_BLOCK * TC_BASE_BITS, meanwhile);

    out[0] = TC_PART_ID;
    out[TC_PART_BOOT] = boot;
    tc_put16(out + TC_PART_SEQ, seq);
    tc_put32(out + TC_PART_TICKS, ticks);
    tc_put16(out + TC_PART_SENSORS, TC_SENSORS);
    out[TC_PART_SCANS] = parts->scans;
    out[TC_PART_TURN] = parts->turn;
    out[TC_PART_BASES] = bases;
    out[TC_PART_COARSE] = coarse;
    at += put_blocks(parts, out + at, bases, coarse, bits, weights, meanwhile);
    parts->scans = 0;
    tc_budget_part(&parts->budget, TC_WIRE_SIZE(at));
    return at;
}
