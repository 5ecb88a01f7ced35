#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "../core/wire.h"
#include "events.h"

#define USB_ROOM 1024u
#define BRIDGE_ROOM 512u
#define HEARD 64u

#define DIVISOR(baud) ((F_CPU / 4u / (baud) - 1u) / 2u) /* double speed, rounded */

/* Bytes from next to end wait to be sent; the interrupt moves next, the main loop end. */
struct out {
    uint8_t *next, *end;
};

static uint8_t usb_bytes[USB_ROOM], bridge_bytes[BRIDGE_ROOM];
static volatile struct out usb, bridge;
static volatile uint8_t heard[UARTS][HEARD], heard_head[UARTS], heard_tail[UARTS];

/* Thirty thousand times a second on USB, and so written out: what a compiler saves and restores around it (r0, r1, RAMPZ
   and more registers than are needed) took a third of its 76 cycles. In C:

       data = *next++;
       if (next == bytes + room)
           next = bytes;
       if (next == end)
           control &= ~(1 << enable); */
#define SENDS(vector, data, control, enable, ring, bytes, room)                                                \
    ISR(vector, ISR_NAKED)                                                                                     \
    {                                                                                                          \
        __asm__ volatile("push r24\n"                                                                          \
                         "in r24, %[sreg]\n"                                                                   \
                         "push r24\n"                                                                          \
                         "push r30\n"                                                                          \
                         "push r31\n"                                                                          \
                         "lds r30, %[next]\n"                                                                  \
                         "lds r31, %[next]+1\n"                                                                \
                         "ld r24, Z+\n"                                                                        \
                         "sts %[out], r24\n"                                                                   \
                         "cpi r30, lo8(%[stop])\n"                                                             \
                         "brne 1f\n"                                                                           \
                         "ldi r24, hi8(%[stop])\n"                                                             \
                         "cpse r31, r24\n"                                                                     \
                         "rjmp 1f\n"                                                                           \
                         "ldi r30, lo8(%[start])\n"                                                            \
                         "ldi r31, hi8(%[start])\n"                                                            \
                         "1:\n"                                                                                \
                         "sts %[next]+1, r31\n"                                                                \
                         "sts %[next], r30\n"                                                                  \
                         "lds r24, %[end]\n"                                                                   \
                         "cp r30, r24\n"                                                                       \
                         "brne 2f\n"                                                                           \
                         "lds r24, %[end]+1\n"                                                                 \
                         "cpse r31, r24\n"                                                                     \
                         "rjmp 2f\n"                                                                           \
                         "lds r24, %[enables]\n"                                                               \
                         "andi r24, %[others]\n"                                                               \
                         "sts %[enables], r24\n"                                                               \
                         "2:\n"                                                                                \
                         "pop r31\n"                                                                           \
                         "pop r30\n"                                                                           \
                         "pop r24\n"                                                                           \
                         "out %[sreg], r24\n"                                                                  \
                         "pop r24\n"                                                                           \
                         "reti\n"                                                                              \
                         :                                                                                     \
                         : [sreg] "I"(_SFR_IO_ADDR(SREG)), [next] "i"(&ring.next), [end] "i"(&ring.end),       \
                           [out] "n"(_SFR_MEM_ADDR(data)), [enables] "n"(_SFR_MEM_ADDR(control)),              \
                           [others] "n"(0xFF & ~(1 << enable)), [start] "i"(bytes), [stop] "i"(bytes + room)); \
    }

#define HEARS(vector, data, port)                                \
    ISR(vector)                                                  \
    {                                                            \
        uint8_t byte = data, head = heard_head[port];            \
        uint8_t next = (uint8_t)((head + 1u) % HEARD);           \
        if (next != heard_tail[port]) {                          \
            heard[port][head] = byte;                            \
            heard_head[port] = next;                             \
            EVENTS |= EVENT_BYTE;                                \
        }                                                        \
    }

SENDS(USART0_UDRE_vect, UDR0, UCSR0B, UDRIE0, usb, usb_bytes, USB_ROOM)
SENDS(USART1_UDRE_vect, UDR1, UCSR1B, UDRIE1, bridge, bridge_bytes, BRIDGE_ROOM)
HEARS(USART0_RX_vect, UDR0, 0)
HEARS(USART1_RX_vect, UDR1, 1)

void uart_begin(void)
{
    /* double speed first: an emulator may take the rate at the write of the divisor */
    UCSR0A = 1 << U2X0;
    UCSR1A = 1 << U2X1;
    UBRR0 = DIVISOR(TC_BAUD_USB);
    UBRR1 = DIVISOR(TC_BAUD_BRIDGE);
    UCSR0C = 3 << UCSZ00; /* eight bits, no parity, one stop bit */
    UCSR1C = 3 << UCSZ10;
    usb.next = usb_bytes;
    bridge.next = bridge_bytes;
    usb.end = usb_bytes + 1;
    bridge.end = bridge_bytes + 1; /* a zero goes out first: it closes whatever the line held before */
    UCSR0B = (1 << RXEN0) | (1 << TXEN0) | (1 << RXCIE0);
    UCSR1B = (1 << RXEN1) | (1 << TXEN1) | (1 << RXCIE1);
}

bool uart_send(uint8_t port, const uint8_t *payload, uint16_t size)
{
    volatile struct out *ring = port ? &bridge : &usb;
    uint8_t *bytes = port ? bridge_bytes : usb_bytes, *next;
    uint16_t room = port ? BRIDGE_ROOM : USB_ROOM, head = (uint16_t)(ring->end - bytes), used;

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) next = ring->next;
    used = (uint16_t)(bytes + head - next);
    if (bytes + head < next)
        used += room;
    if (room - 1u - used < TC_WIRE_SIZE(size)) /* a full ring would look like an empty one */
        return false;
    head = tc_seal(bytes, room, head, payload, size);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        ring->end = bytes + head;
        if (port)
            UCSR1B |= 1 << UDRIE1;
        else
            UCSR0B |= 1 << UDRIE0;
    }
    return true;
}

int16_t uart_receive(uint8_t port)
{
    uint8_t tail = heard_tail[port];
    if (tail == heard_head[port])
        return -1;
    int16_t byte = heard[port][tail];
    heard_tail[port] = (uint8_t)((tail + 1u) % HEARD);
    return byte;
}
