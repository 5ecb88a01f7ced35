#define _GNU_SOURCE
#include "port.h"

#include <avr_uart.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "core/bytes.h"
#include "core/messages.h"
#include "core/wire.h"

#define UCSR0B 0xC1u
#define UCSR1B 0xC9u
#define RECEIVES 0x10u

/* Whether the recording says that the link loses this message: a frame of a scan before the play, or a lost one. */
static bool loses(const struct port *port)
{
    uint8_t payload[sizeof port->message];
    unsigned frames = port->analog->signals.header->frames;

    if (frames < 2 || !port->message_size)
        return false;
    memcpy(payload, port->message, port->message_size);
    if (tc_unseal(payload, (uint16_t)port->message_size) < (int)TC_FRAME_SIZE || payload[0] != TC_FRAME_ID)
        return false;
    /* numbers of 16 bits: the one that is nearest to what is being measured */
    int played = analog_played(port->analog);
    played -= (int16_t)(uint16_t)(played + (int)port->options->first_scan - tc_get16(payload + TC_FRAME_SEQ));
    return played < 0 || played >= (int)frames || port->analog->signals.frames[played].lost;
}

static void count(struct port *port)
{
    uint64_t second = port->avr->cycle / port->avr->frequency;
    port->bytes++;
    if (second != port->second) {
        port->second = second;
        port->in_second = 0;
    }
    if (++port->in_second > port->most_in_second)
        port->most_in_second = port->in_second;
}

static void byte_out(avr_irq_t *irq, uint32_t value, void *param)
{
    struct port *port = param;
    uint8_t byte = (uint8_t)value;

    (void)irq;
    count(port);
    if (byte) {
        if (port->message_size < sizeof port->message)
            port->message[port->message_size++] = byte;
        return;
    }
    port->messages++;
    if (!loses(port) && port->size + port->message_size + 1 <= sizeof port->waiting) {
        memcpy(port->waiting + port->size, port->message, port->message_size);
        port->size += port->message_size;
        port->waiting[port->size++] = 0;
    }
    port->message_size = 0;
}

static void room(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)value;
    ((struct port *)param)->full = false;
}

static void no_room(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)value;
    ((struct port *)param)->full = true;
}

void port_step(struct port *port)
{
    size_t out = 0;
    uint8_t bytes[16];

    while (out < port->size) {
        ssize_t n = write(port->master, port->waiting + out, port->size - out);
        if (n > 0) {
            out += (size_t)n;
        } else if (port->options->lossless && port->spoken) {
            struct pollfd ready = {.fd = port->master, .events = POLLOUT};
            if (poll(&ready, 1, -1) < 0)
                break; /* a signal: the program is to end */
        } else {
            port->lost_bytes += port->size - out; /* nobody reads: as on a real line */
            break;
        }
    }
    port->size = 0;
    if (port->full || !(port->avr->data[port->control] & RECEIVES))
        return; /* what comes while the board starts waits in the pseudo-terminal */
    ssize_t n = read(port->master, bytes, sizeof bytes);
    port->spoken |= n > 0;
    for (ssize_t k = 0; k < n; k++)
        avr_raise_irq(port->in, bytes[k]);
}

void port_await(const struct port *ports, int count)
{
    struct pollfd ready[4];
    for (int k = 0; k < count; k++)
        ready[k] = (struct pollfd){.fd = ports[k].master, .events = POLLIN};
    poll(ready, (nfds_t)count, -1);
}

void port_begin(struct port *port, avr_t *avr, char uart, const struct options *options, const struct analog *analog)
{
    struct termios raw;
    uint32_t flags = 0;

    memset(port, 0, sizeof *port);
    port->avr = avr;
    port->options = options;
    port->analog = analog;
    port->control = uart == '0' ? UCSR0B : UCSR1B;
    port->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (port->master < 0 || grantpt(port->master) || unlockpt(port->master) ||
        ptsname_r(port->master, port->name, sizeof port->name)) {
        perror("no pseudo-terminal");
        exit(2);
    }
    /* held open, so that a host may come and go */
    port->slave = open(port->name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    tcgetattr(port->slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(port->slave, TCSANOW, &raw);

    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS(uart), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS(uart), &flags);
    port->in = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ(uart), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ(uart), UART_IRQ_OUTPUT), byte_out, port);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ(uart), UART_IRQ_OUT_XON), room, port);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ(uart), UART_IRQ_OUT_XOFF), no_room, port);
}
