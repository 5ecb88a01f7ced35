/* Values of many sensors in few bits: bases of 12 bits, or small differences in a Rice code (see PROTOCOL.md). */
#ifndef TC_BLOCKS_H
#define TC_BLOCKS_H

#include <stdint.h>

#define TC_ABSENT 7u
#define TC_BASE_BITS 12u
#define TC_CODE_BITS 3u

/* Where the next bit goes, least significant first. */
struct tc_bits {
    uint8_t *at;
    uint8_t part, fill; /* the bits of the byte that is not whole yet, fewer than 8 */
};

/* Bits that a block of differences takes at most, by the sum of the folded ones; code: how to write them. */
uint16_t tc_block_size(uint16_t sum, uint8_t count, uint8_t *code);

/* The same in a given code, where its lowest bits are left out of what was folded. */
uint16_t tc_code_size(uint16_t sum, uint8_t count, uint8_t code);

/* How many of the lowest bits of differences a code leaves out. */
uint8_t tc_left_out(uint8_t code);

void tc_put_code(struct tc_bits *bits, uint8_t code);
void tc_put_base(struct tc_bits *bits, uint16_t value);

/* folded: 2d of a difference d, or -2d - 1 where it is negative. */
void tc_put_differences(struct tc_bits *bits, const uint16_t *folded, uint8_t count, uint8_t code);

/* Closes the last byte; where the bytes end. */
uint8_t *tc_put_end(struct tc_bits *bits);

#endif
