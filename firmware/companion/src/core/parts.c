#include "fast.h" /* first: it counts from here on */
#include "parts.h"

#include <string.h>

#include "blocks.h"
#include "bytes.h"
#include "wire.h"

#define BLOCKS ((TC_SENSORS + TC_PART_BLOCK - 1u) / TC_PART_BLOCK)
#define SCANS_A_SECOND (1000000ul / TC_PERIOD_US)
#define BOUND_SCANS (TC_OLDEST_MS * 8ul / 10ul * 1000ul / TC_PERIOD_US) /* a fifth is kept for parts that must wait */
#define OTHERS 180u /* bytes a second of hello, health and answers, at most */
#define HELD 100u   /* bytes a second of hello and health: kept back, so that no part is small because they are due */
#define MOST_SUMMED 4u /* scans: their sum is their mean in quarters of a count */
#define MOST_COARSE 5u
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

    parts->owed += BLOCKS * parts->every;
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

/* Bytes of bits that fit into `bytes` on the wire after `at` bytes of payload. */
static uint16_t room(uint16_t at, uint16_t bytes)
{
    if (TC_WIRE_SIZE(at) >= bytes)
        return 0;
    uint16_t left = bytes - TC_WIRE_SIZE(at);
    if (left > LONGEST)
        left = LONGEST;
    while (TC_WIRE_SIZE(at + left) > bytes) /* COBS takes a byte more of a longer one */
        left--;
    return left;
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
    parts->every = every;
    parts->wait = 1;
    parts->budget = budget;
    parts->bytes = 0;
    parts->held = HELD;
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

    uint16_t most = (uint16_t)((uint32_t)parts->budget * (parts->every + 2u) / SCANS_A_SECOND + HELD);

    parts->bytes += parts->budget / SCANS_A_SECOND;
    parts->hundredths += parts->budget % SCANS_A_SECOND;
    if (parts->hundredths >= SCANS_A_SECOND) {
        parts->hundredths -= SCANS_A_SECOND;
        parts->bytes++;
    }
    if (parts->bytes > most)
        parts->bytes = most;
    if (parts->held < HELD)
        parts->held++; /* HELD in a second */
    if (parts->wait)
        parts->wait--;
    return parts->wait == 0;
}

static bool take(struct tc_parts *parts, uint16_t wire_bytes)
{
    if (wire_bytes > parts->bytes)
        return false;
    parts->bytes -= wire_bytes;
    return true;
}

bool tc_parts_spend(struct tc_parts *parts, uint16_t wire_bytes)
{
    if (!take(parts, wire_bytes))
        return false;
    parts->held = parts->held > wire_bytes ? (uint8_t)(parts->held - wire_bytes) : 0;
    return true;
}

/* What a block reads is expected of it. */
static void take_bases(struct tc_parts *parts, uint8_t block)
{
    const int16_t *now = parts->sum + block * TC_PART_BLOCK;
    int16_t *expected = parts->expected + block * TC_PART_BLOCK;

    for (uint8_t k = size_of(block); k; k--, now++, expected++)
        *expected = *now < 0 ? 0 : *now > MOST ? MOST : *now; /* with what was left over it may be beyond */
}

/* What the differences of a block amount to, in quarters of a count: the sum of their sizes, and how many are negative.
   Eleven of no more than 4,092, and what rounding left over, fit into 16 bits; folded they would not. */
struct weight {
    uint16_t sum;
    uint8_t less;
};

static void weigh_blocks(const struct tc_parts *parts, struct weight *weights)
{
    const int16_t *now = parts->sum, *expected = parts->expected;

    for (uint8_t block = 0; block < BLOCKS; block++) {
        uint16_t sum = 0;
        uint8_t less = 0;
        for (uint8_t k = size_of(block); k; k--, now++, expected++) {
            int16_t by = *now - *expected;
            if (by < 0) {
                by = -by;
                less++;
            }
            sum += (uint16_t)by;
        }
        weights[block].sum = sum;
        weights[block].less = less;
    }
}

/* The sum of the folded differences, but for rounding, where so many bits are shifted out; 0xFFFF where it is more. */
static uint16_t folded_sum(const struct weight *weight, uint8_t shift)
{
    if (shift)
        return (uint16_t)(weight->sum - (weight->less + 1u) / 2u) >> (shift - 1u); /* 2 sum - less would overflow */
    return weight->sum < 0x8000u ? (uint16_t)(2u * weight->sum - weight->less) : 0xFFFFu;
}

/* How coarse the differences have to be, so that all of them fit into so many bits: 0 quarters of a count, 1 halves... */
static uint8_t coarse_for(const struct weight *weights, uint16_t bits, void (*meanwhile)(void))
{
    for (uint8_t coarse = 0; coarse < MOST_COARSE; coarse++) {
        meanwhile();
        uint16_t needed = 0;
        uint8_t block = 0, code;
        for (; block < BLOCKS && needed <= bits; block++)
            needed += !coarse && weights[block].sum >= 0x8000u ? 0x7FFFu : /* folded finely it would overflow */
                      TC_CODE_BITS + tc_block_size(folded_sum(&weights[block], coarse), size_of(block), &code);
        if (needed <= bits)
            return coarse;
    }
    return MOST_COARSE;
}

/* Made anew for each coarseness that is known when it is compiled: an AVR shifts by one bit at a time. */
static inline __attribute__((always_inline)) uint16_t fold_by(struct tc_parts *parts, uint8_t block, uint8_t coarse,
                                                              uint16_t *folded)
{
    int16_t *now = parts->sum + block * TC_PART_BLOCK, *expected = parts->expected + block * TC_PART_BLOCK;
    uint16_t sum = 0, half = coarse ? (uint16_t)(1u << (coarse - 1u)) : 0;

    for (uint8_t k = size_of(block); k; k--, now++, expected++) {
        int16_t by = *now - *expected, told;
        bool less = by < 0;
        uint16_t steps = (uint16_t)(less ? -by : by);
        if (coarse) {
            uint16_t all = steps;
            steps = (uint16_t)(steps + half) >> coarse;
            told = (int16_t)(steps << coarse);
            by = (int16_t)(all - (uint16_t)told);
            *now = less ? -by : by;
        } else {
            told = (int16_t)steps;
            *now = 0;
        }
        steps *= 2u;
        if (told <= (int16_t)TC_PART_SMALL)
            told /= 2;
        if (less && steps) {
            steps--;
            *expected -= told;
        } else {
            *expected += told;
        }
        *folded++ = steps;
        sum += steps;
    }
    return sum;
}

/* Folds the differences of a block, to be told: the sums become what rounding leaves over, and what is expected follows.
   The sum of what is folded. */
static uint16_t fold(struct tc_parts *parts, uint8_t block, uint8_t coarse, uint16_t *folded)
{
    switch (coarse) {
    case 0:
        return fold_by(parts, block, 0, folded);
    case 1:
        return fold_by(parts, block, 1, folded);
    case 2:
        return fold_by(parts, block, 2, folded);
    default:
        return fold_by(parts, block, coarse, folded);
    }
}

/* Writes the blocks in their round; the bytes, never more than `left` bits. Differences that do not fit are absent. */
static uint16_t put_blocks(struct tc_parts *parts, uint8_t *out, uint8_t bases, uint8_t coarse, uint16_t left,
                           const struct weight *weights, void (*meanwhile)(void))
{
    struct tc_bits bits = {out, 0, 0};
    uint8_t block = parts->turn;

    left -= bases * TC_PART_BLOCK * TC_BASE_BITS + (BLOCKS - bases) * TC_CODE_BITS; /* what remains for differences */
    for (uint8_t k = 0; k < BLOCKS; k++, block = after(block)) {
        int16_t *sum = parts->sum + block * TC_PART_BLOCK, *expected = parts->expected + block * TC_PART_BLOCK;
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
            tc_block_size(folded_sum(&weights[block], coarse), count, &code);
            uint8_t shift = coarse + tc_left_out(code);
            /* each is rounded up by a half at most: so this is what it takes at most, whatever was estimated before */
            uint16_t most = folded_sum(&weights[block], shift) + (shift ? count : 0);
            if (tc_code_size(most, count, code) > left)
                code = TC_ABSENT;
            tc_put_code(&bits, code);
            if (code != TC_ABSENT) {
                whole = whole && !tc_left_out(code);
                left -= tc_code_size(fold(parts, block, shift, folded), count, code);
                tc_put_differences(&bits, folded, count, code);
            }
        }
        /* what is left over is in the unit of a sum of four; of a large difference it is too much to be made up for */
        if (code == TC_ABSENT || !whole)
            memset(sum, 0, sizeof(sum[0]) * count);
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
    struct weight weights[BLOCKS];
    uint16_t bits = 8u * room(at + loads * TC_PART_LOAD_SIZE, parts->bytes > parts->held ? parts->bytes - parts->held : 0);

    if (bits < least(parts->every))
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
    weigh_blocks(parts, weights);
    for (uint8_t k = parts->unknown; k; k--, first = after(first))
        weights[first] = (struct weight){0, 0}; /* they are absent */
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
    take(parts, TC_WIRE_SIZE(at));
    parts->wait = parts->every;
    return at;
}
