/* The two serial ports: 0 is USB, 1 the Bluetooth bridge. A message goes out whole or not at all. */
#ifndef TC_UART_H
#define TC_UART_H

#include <stdbool.h>
#include <stdint.h>

#define UARTS 2u

#ifndef TC_BAUD_USB
#define TC_BAUD_USB 500000UL /* exact at 16 MHz, as is 1000000 */
#endif
#ifndef TC_BAUD_BRIDGE
#define TC_BAUD_BRIDGE 38400UL /* 0.2 per cent off; carries 3.8 kB/s, more than such a bridge does */
#endif

void uart_begin(void);

/* Seals and sends a payload; false where there is no room for all of it. */
bool uart_send(uint8_t port, const uint8_t *payload, uint16_t size);

/* The next byte that came, or -1. */
int16_t uart_receive(uint8_t port);

#endif
