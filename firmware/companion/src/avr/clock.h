/* Microseconds since boot, from timer 5 at 2 MHz. It wraps after 71.6 minutes.

   Timer 5, since its capture input is on the board (pin 48): the load cell's data line hangs there, and the timer itself
   keeps when it fell, whatever the program is doing then. */
#ifndef TC_CLOCK_H
#define TC_CLOCK_H

#include <stdint.h>

void clock_begin(void);

uint32_t clock_us(void);

/* When the timer's count was this, less than 32 ms ago. */
uint32_t clock_at(uint16_t count);

#endif
