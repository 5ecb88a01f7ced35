#include "fast.h" /* first: it counts from here on */
#include "differences.h"

#include <stdbool.h>

#include "messages.h"

struct tc_weight tc_weigh(const int16_t *now, const int16_t *expected, uint8_t count)
{
    struct tc_weight weight = {0, 0};

    for (; count; count--, now++, expected++) {
        int16_t by = *now - *expected;
        if (by < 0) {
            by = -by;
            weight.less++;
        }
        weight.sum += (uint16_t)by;
    }
    return weight;
}

uint16_t tc_folded_sum(const struct tc_weight *weight, uint8_t left_out)
{
    if (left_out)
        return (uint16_t)(weight->sum - (weight->less + 1u) / 2u) >> (left_out - 1u); /* 2 sum - less would overflow */
    return weight->sum < 0x8000u ? (uint16_t)(2u * weight->sum - weight->less) : 0xFFFFu;
}

/* Made anew for each number of bits that is known when it is compiled: an AVR shifts by one bit at a time. */
static inline __attribute__((always_inline)) uint16_t fold_by(int16_t *now, int16_t *expected, uint8_t count,
                                                              uint8_t left_out, uint16_t *folded)
{
    uint16_t sum = 0, below = left_out ? (uint16_t)((1u << (left_out - 1u)) - 1u) : 0;

    for (; count; count--, now++, expected++) {
        int16_t by = *now - *expected, told;
        bool less = by < 0;
        uint16_t steps = (uint16_t)(less ? -by : by);
        if (left_out) {
            uint16_t all = steps;
            /* From the middle to even: half of all differences lie there, and always up they would make noise larger. */
            steps = (uint16_t)(steps + below + ((steps >> left_out) & 1u)) >> left_out;
            told = (int16_t)(steps << left_out);
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

uint16_t tc_fold(int16_t *now, int16_t *expected, uint8_t count, uint8_t left_out, uint16_t *folded)
{
    switch (left_out) {
    case 0:
        return fold_by(now, expected, count, 0, folded);
    case 1:
        return fold_by(now, expected, count, 1, folded);
    case 2:
        return fold_by(now, expected, count, 2, folded);
    default:
        return fold_by(now, expected, count, left_out, folded);
    }
}
