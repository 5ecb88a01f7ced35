/* Frames on the wire: payload and CRC-16/CCITT, COBS encoded, closed by a zero byte (see PROTOCOL.md). */
#ifndef TC_WIRE_H
#define TC_WIRE_H

#include <stdbool.h>
#include <stdint.h>

/* Most bytes on the wire of a payload of n bytes. */
#define TC_WIRE_SIZE(n) ((n) + 2u + ((n) + 2u) / 254u + 2u)

#define TC_BAD_COBS (-1)
#define TC_BAD_SIZE (-2)
#define TC_BAD_CRC (-3)

/* CRC-16/CCITT, polynomial 1021, going on from crc (start: FFFF). */
uint16_t tc_crc(uint16_t crc, const uint8_t *data, uint16_t size);

/* Writes the wire bytes of a payload into a ring of so many bytes, from head on, and gives the place after them. There
   must be TC_WIRE_SIZE bytes of room. */
uint16_t tc_seal(uint8_t *ring, uint16_t bytes, uint16_t head, const uint8_t *payload, uint16_t size);

/* Turns the bytes between two zeros into their payload, in place; gives its size or one of TC_BAD_. */
int16_t tc_unseal(uint8_t *frame, uint16_t size);

/* Cuts a stream at its zeros; what does not fit into held is thrown away up to the next zero. */
struct tc_splitter {
    uint8_t *held;
    uint16_t room, size;
    bool overrun;
};

/* Takes one byte. Gives the size of a frame that it closed (in held, until the next byte), 0 while there is none,
   TC_BAD_SIZE where what it closed was too long. */
int16_t tc_split(struct tc_splitter *splitter, uint8_t byte);

#endif
