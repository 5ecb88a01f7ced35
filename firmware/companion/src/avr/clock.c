#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

static volatile uint32_t overflows;

ISR(TIMER1_OVF_vect)
{
    overflows++;
}

void clock_begin(void)
{
    TCCR1A = 0;
    TCCR1B = 1 << CS11; /* 2 MHz, one overflow in 32.8 ms */
    TCNT1 = 0;
    TIFR1 = 0xFF;
    TIMSK1 = 1 << TOIE1;
}

uint32_t clock_us(void)
{
    uint32_t high;
    uint16_t low;

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        high = overflows;
        low = TCNT1;
        if ((TIFR1 & (1 << TOV1)) && low < 0x8000u)
            high++;
    }
    return (high << 15) | (low >> 1);
}
