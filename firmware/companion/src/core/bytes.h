/* Numbers as they travel: least significant byte first, at any place. */
#ifndef TC_BYTES_H
#define TC_BYTES_H

#include <stdint.h>

static inline void tc_put16(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static inline void tc_put32(uint8_t *at, uint32_t value)
{
    tc_put16(at, (uint16_t)value);
    tc_put16(at + 2, (uint16_t)(value >> 16));
}

static inline uint16_t tc_get16(const uint8_t *at)
{
    return (uint16_t)(at[0] | (uint16_t)((uint16_t)at[1] << 8));
}

#endif
