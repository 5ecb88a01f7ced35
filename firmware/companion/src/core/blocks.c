#include "fast.h" /* first: it counts from here on */
#include "blocks.h"

#define CODES 7u

static const uint8_t low_bits[CODES] = {0, 1, 2, 3, 4, 5, 5};
static const uint8_t left_out[CODES] = {0, 0, 0, 0, 0, 1, 3}; /* of larger differences the lowest bits */
static const uint8_t power[8] = {1, 2, 4, 8, 16, 32, 64, 128};

/* The low `count` bits of value, 1 to 8, and it has no others. A product in place of shifts: an AVR multiplies in two
   cycles and shifts by one bit at a time. */
static inline void put(struct tc_bits *bits, uint8_t value, uint8_t count)
{
    uint16_t wide = (uint16_t)((uint16_t)value * power[bits->fill]);

    bits->part |= (uint8_t)wide;
    bits->fill += count;
    if (bits->fill >= 8u) {
        *bits->at++ = bits->part;
        bits->part = (uint8_t)(wide >> 8);
        bits->fill -= 8u;
    }
}

static inline void put_zeros(struct tc_bits *bits, uint16_t count)
{
    for (; count >= 8u; count -= 8u)
        put(bits, 0, 8);
    put(bits, power[count], (uint8_t)(count + 1u)); /* the rest, and the one that ends them */
}

uint16_t tc_block_size(uint16_t sum, uint8_t count, uint8_t *code)
{
    uint8_t limit = count + count / 2u; /* of a mean of 1.5 on, one low bit is cheaper than none */
    uint8_t k = 0;

    for (; sum > limit && k < 4u; k++)
        sum >>= 1;
    for (; sum > limit && k < CODES - 1u; k++)
        sum >>= 2; /* a bit more is plain, or left out, and another one left out */
    *code = k;
    return count * (low_bits[k] + 1u) + sum;
}

uint16_t tc_code_size(uint16_t sum, uint8_t count, uint8_t code)
{
    return count * (low_bits[code] + 1u) + (sum >> low_bits[code]);
}

uint8_t tc_left_out(uint8_t code)
{
    return left_out[code];
}

void tc_put_code(struct tc_bits *bits, uint8_t code)
{
    put(bits, code, TC_CODE_BITS);
}

void tc_put_base(struct tc_bits *bits, uint16_t value)
{
    put(bits, (uint8_t)value, 8);
    put(bits, (uint8_t)(value >> 8), TC_BASE_BITS - 8u);
}

/* Made anew for each number of low bits that is known when it is compiled. */
static inline __attribute__((always_inline)) void put_by(struct tc_bits *bits, const uint16_t *folded, uint8_t count,
                                                         uint8_t low)
{
    struct tc_bits out = *bits; /* in registers */
    uint8_t mask = (uint8_t)((1u << low) - 1u);

    for (; count; count--, folded++) {
        uint16_t zeros = *folded >> low;
        if (zeros < 8u)
            put(&out, power[zeros], (uint8_t)zeros + 1u);
        else
            put_zeros(&out, zeros);
        if (low)
            put(&out, (uint8_t)*folded & mask, low);
    }
    *bits = out;
}

void tc_put_differences(struct tc_bits *bits, const uint16_t *folded, uint8_t count, uint8_t code)
{
    switch (low_bits[code]) {
    case 0:
        put_by(bits, folded, count, 0);
        break;
    case 1:
        put_by(bits, folded, count, 1);
        break;
    case 2:
        put_by(bits, folded, count, 2);
        break;
    default:
        put_by(bits, folded, count, low_bits[code]);
    }
}

uint8_t *tc_put_end(struct tc_bits *bits)
{
    if (bits->fill)
        *bits->at++ = bits->part;
    return bits->at;
}
