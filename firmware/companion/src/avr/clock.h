/* Microseconds since boot, from timer 1 at 2 MHz. */
#ifndef TC_CLOCK_H
#define TC_CLOCK_H

#include <stdint.h>

void clock_begin(void);

/* Wraps after 71.6 minutes. */
uint32_t clock_us(void);

#endif
