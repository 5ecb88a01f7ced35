/* Counts of 10 bits without gaps: value k is bits 10k to 10k+9, least significant bit first. */
#ifndef TC_PACKING_H
#define TC_PACKING_H

#include <stdint.h>

#define TC_PACKED_SIZE(n) (((n) * 10u + 7u) / 8u)

/* Packs count values (their low ten bits) and gives the number of bytes. */
uint16_t tc_pack10(uint8_t *out, const uint16_t *values, uint16_t count);

#endif
