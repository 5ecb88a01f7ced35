/* Differences of a block of sensors from what the host expects of them, made coarse as the room asks for. */
#ifndef TC_DIFFERENCES_H
#define TC_DIFFERENCES_H

#include <stdint.h>

/* What the differences of a block amount to, in quarters of a count: the sum of their sizes, and how many are negative.
   Eleven of no more than 4,092, and what rounding left over, fit into 16 bits; folded they would not. */
struct tc_weight {
    uint16_t sum;
    uint8_t less;
};

struct tc_weight tc_weigh(const int16_t *now, const int16_t *expected, uint8_t count);

/* The sum of the folded differences, but for rounding, where so many bits are left out; 0xFFFF where it is more. */
uint16_t tc_folded_sum(const struct tc_weight *weight, uint8_t left_out);

/* Folds differences, to be told without so many of their lowest bits: now becomes what rounding leaves over, and what is
   expected follows as the host's does. Gives the sum of what is folded. */
uint16_t tc_fold(int16_t *now, int16_t *expected, uint8_t count, uint8_t left_out, uint16_t *folded);

#endif
