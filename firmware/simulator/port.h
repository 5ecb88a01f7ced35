/* A serial port of the emulated board on a pseudo-terminal. */
#ifndef PORT_H
#define PORT_H

#include <stddef.h>

#include "analog.h"

struct port {
    avr_t *avr;
    const struct options *options;
    const struct analog *analog;
    avr_irq_t *in;
    uint16_t control;               /* the register that switches the receiver on */
    int master, slave;
    char name[64];
    bool full;                      /* the board's receiver has no room */
    bool spoken;                    /* a host has sent something: it is there and reads */
    uint8_t waiting[1 << 16], message[1024];
    size_t size, message_size;
    uint64_t bytes, messages, lost_bytes;
    uint64_t second, in_second, most_in_second;
};

void port_begin(struct port *port, avr_t *avr, char uart, const struct options *options, const struct analog *analog);

/* Moves what is waiting in both directions. */
void port_step(struct port *port);

/* Blocks until a host has sent something to one of up to four ports. */
void port_await(const struct port *ports, int count);

#endif
