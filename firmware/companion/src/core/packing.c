#include "fast.h" /* first: it counts from here on */
#include "packing.h"

uint16_t tc_pack10(uint8_t *out, const uint16_t *values, uint16_t count)
{
    uint8_t *at = out;

    while (count >= 4) { /* four values make five whole bytes */
        uint16_t a = values[0] & 0x3FFu, b = values[1] & 0x3FFu;
        uint16_t c = values[2] & 0x3FFu, d = values[3] & 0x3FFu;
        at[0] = (uint8_t)a;
        at[1] = (uint8_t)(a >> 8 | b << 2);
        at[2] = (uint8_t)(b >> 6 | c << 4);
        at[3] = (uint8_t)(c >> 4 | d << 6);
        at[4] = (uint8_t)(d >> 2);
        values += 4;
        count -= 4;
        at += 5;
    }
    uint32_t rest = 0;
    for (uint8_t k = 0; k < count; k++)
        rest |= (uint32_t)(values[k] & 0x3FFu) << 10 * k;
    for (uint8_t bits = 0; bits < 10 * count; bits += 8)
        *at++ = (uint8_t)(rest >> bits);
    return (uint16_t)(at - out);
}
