#include "hx711.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>
#include <util/delay.h>

#include "clock.h"

#define OFF_US 70u /* from 60 us of a high clock on the chip is off */

void hx711_begin(void)
{
    LOAD_PORT = (LOAD_PORT & (uint8_t)~LOAD_CLOCK) | LOAD_DATA;
    LOAD_DDR = (LOAD_DDR | LOAD_CLOCK) & (uint8_t)~LOAD_DATA;
}

void hx711_read(struct tc_load_read *read)
{
    uint32_t bits = 0, start = clock_us();
    uint16_t fell;
    uint16_t longest = 0;

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) fell = ICR5; /* of the line's last fall: the conversion was ready then */
    read->ready_us = clock_at(fell);
    for (uint8_t k = 0; k < TC_LOAD_PULSES; k++) {
        uint8_t line;
        uint16_t high;
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE) /* no interrupt may stretch the pulse */
        {
            uint16_t up = TCNT5;
            LOAD_PORT |= LOAD_CLOCK;
            _delay_us(1);
            line = LOAD_PIN & LOAD_DATA;
            LOAD_PORT &= (uint8_t)~LOAD_CLOCK;
            high = TCNT5 - up;
        }
        if (high > longest)
            longest = high;
        if (k < 24u)
            bits = bits << 1 | (line ? 1u : 0u);
    }
    _delay_us(1);
    read->line_after = LOAD_PIN & LOAD_DATA;
    read->bits = bits;
    read->high_us = longest / 2u;
    uint32_t took = clock_us() - start;
    read->took_us = took > 0xFFFFu ? 0xFFFFu : (uint16_t)took;
}

void hx711_restart(void)
{
    LOAD_PORT |= LOAD_CLOCK;
    _delay_us(OFF_US);
    LOAD_PORT &= (uint8_t)~LOAD_CLOCK;
}
