#include "fast.h" /* first: it counts from here on */
#include "wire.h"

#ifdef __AVR__
#include <util/crc16.h> /* the same polynomial, in a few instructions */
#define crc_step(crc, byte) _crc_xmodem_update(crc, byte)
#else
static uint16_t crc_step(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)(crc ^ (uint16_t)(byte << 8));
    for (uint8_t bit = 0; bit < 8; bit++)
        crc = (uint16_t)((uint16_t)(crc << 1) ^ (crc & 0x8000u ? 0x1021u : 0u));
    return crc;
}
#endif

uint16_t tc_crc(uint16_t crc, const uint8_t *data, uint16_t size)
{
    while (size--)
        crc = crc_step(crc, *data++);
    return crc;
}

/* Where a frame is being written. */
struct pen {
    uint8_t *at, *code_at, *end, *ring;
    uint8_t code;
};

static inline uint8_t *step(const struct pen *pen, uint8_t *at)
{
    return ++at == pen->end ? pen->ring : at;
}

static inline void put(struct pen *pen, uint8_t byte)
{
    if (byte) {
        *pen->at = byte;
        pen->at = step(pen, pen->at);
        if (++pen->code != 0xFF)
            return;
    }
    *pen->code_at = pen->code;
    pen->code_at = pen->at;
    pen->at = step(pen, pen->at);
    pen->code = 1;
}

uint16_t tc_seal(uint8_t *ring, uint16_t bytes, uint16_t head, const uint8_t *payload, uint16_t size)
{
    struct pen pen = {.code_at = ring + head, .end = ring + bytes, .ring = ring, .code = 1};
    const uint8_t *stop = payload + size;
    uint16_t crc = 0xFFFF;

    pen.at = step(&pen, pen.code_at);
    while (payload != stop) {
        uint8_t byte = *payload++;
        crc = crc_step(crc, byte);
        put(&pen, byte);
    }
    put(&pen, (uint8_t)crc);
    put(&pen, (uint8_t)(crc >> 8));
    *pen.code_at = pen.code;
    *pen.at = 0;
    return (uint16_t)(step(&pen, pen.at) - ring);
}

int16_t tc_unseal(uint8_t *frame, uint16_t size)
{
    uint16_t in = 0, out = 0;

    while (in < size) {
        uint8_t code = frame[in++];
        if (!code || code - 1u > (uint16_t)(size - in))
            return TC_BAD_COBS;
        for (uint8_t k = 1; k < code; k++)
            frame[out++] = frame[in++];
        if (code != 0xFF && in < size)
            frame[out++] = 0;
    }
    if (out < 3)
        return TC_BAD_SIZE;
    out -= 2;
    uint16_t crc = tc_crc(0xFFFF, frame, out);
    if (frame[out] != (uint8_t)crc || frame[out + 1] != (uint8_t)(crc >> 8))
        return TC_BAD_CRC;
    return (int16_t)out;
}

int16_t tc_split(struct tc_splitter *splitter, uint8_t byte)
{
    if (byte) {
        if (splitter->size == splitter->room)
            splitter->overrun = true;
        else
            splitter->held[splitter->size++] = byte;
        return 0;
    }
    int16_t size = splitter->overrun ? TC_BAD_SIZE : (int16_t)splitter->size;
    splitter->size = 0;
    splitter->overrun = false;
    return size;
}
