#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

static volatile uint32_t overflows;

ISR(TIMER5_OVF_vect)
{
    overflows++;
}

void clock_begin(void)
{
    TCCR5A = 0;
    TCCR5B = 1 << CS51; /* 2 MHz, one overflow in 32.8 ms; captures falling edges, as they come */
    TCNT5 = 0;
    TIFR5 = 0xFF;
    TIMSK5 = 1 << TOIE5;
}

/* With interrupts off: the overflows that belong to the count low, read just now. */
static inline uint32_t overflows_at(uint16_t low)
{
    return overflows + ((TIFR5 & (1 << TOV5)) && low < 0x8000u);
}

uint32_t clock_us(void)
{
    uint32_t high;
    uint16_t low;

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        low = TCNT5;
        high = overflows_at(low);
    }
    return (high << 15) | (low >> 1);
}

uint32_t clock_at(uint16_t count)
{
    uint32_t high;
    uint16_t low;

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        low = TCNT5;
        high = overflows_at(low);
    }
    if (count > low)
        high--;
    return (high << 15) | (count >> 1);
}
