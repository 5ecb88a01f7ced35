#include "scan.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>
#include <util/delay.h>

#include "clock.h"
#include "events.h"
#include "pins.h"

#define PRESCALER 32u /* ADC clock 500 kHz: a conversion takes 26 us */
#define ADC_ON ((1 << ADEN) | (1 << ADIE) | (1 << ADPS2) | (1 << ADPS0))
#define PERIOD_TICKS (2u * TC_PERIOD_US)

/* From ADSC to the sample: up to one ADC clock until it starts, and 1.5 more. The address must not move before. */
#define SAMPLE_CYCLES (PRESCALER + PRESCALER * 3u / 2u)
/* So many pass anyway between the start and the change of the address, whatever a compiler makes of it (STORE: with the
   four loads and stores of a result between them); the emulator counts samples that are met by a change. */
#define BETWEEN_CYCLES 8u
#define STORE_CYCLES 20u

/* The rest of the conversion is what the next sensor has to settle. */
#define SETTLE_US ((13u * PRESCALER - SAMPLE_CYCLES) / (F_CPU / 1000000u))
_Static_assert(SETTLE_US >= SETTLE_US_LEAST, "the multiplexers need longer to settle: slow the ADC clock down");

static uint16_t scan[TC_CHANNELS];
static uint16_t *at;
static volatile bool busy, halted; /* busy: from its start until it has been fetched the scan is not begun anew */
static volatile uint32_t began;
static volatile uint16_t late, latency;

/* External reference only: the sensors' own rail is AREF, REFS1 and REFS0 stay 0. */
static inline __attribute__((always_inline)) void input(uint8_t multiplexer)
{
    ADCSRB = multiplexer & 8u ? 1 << MUX5 : 0;
    ADMUX = multiplexer & 7u;
}

static inline __attribute__((always_inline)) void address(uint8_t number)
{
    SELECT_PORT = (SELECT_PORT & (uint8_t)~SELECT_MASK) | number;
}

ISR(ADC_vect)
{
    uint8_t turn = SCAN_TURN + 1u; /* tc_plan_next, taken apart so that the converter does not wait */
    uint16_t *place = at;

    if (turn < TC_TURNS) {
        ADCSRA = ADC_ON | (1 << ADSC);
        if (turn > 1u) {
            *place++ = ADC; /* of the conversion before: it stands until this one is over */
            at = place;
            __builtin_avr_delay_cycles(SAMPLE_CYCLES - STORE_CYCLES);
        } else {
            __builtin_avr_delay_cycles(SAMPLE_CYCLES - BETWEEN_CYCLES);
        }
    } else {
        uint8_t next = SCAN_INPUT + 1u;
        *place++ = ADC;
        at = place;
        turn = 0;
        SCAN_INPUT = next;
        if (next == TC_MULTIPLEXERS) {
            EVENTS |= EVENT_SCAN;
            return;
        }
        input(next); /* after the result was read, before the next conversion */
        ADCSRA = ADC_ON | (1 << ADSC);
        __builtin_avr_delay_cycles(SAMPLE_CYCLES - BETWEEN_CYCLES);
    }
    SCAN_TURN = turn;
    address(tc_plan_next_address(turn));
}

ISR(TIMER5_COMPA_vect)
{
    uint16_t waited = TCNT5 - OCR5A, due = OCR5A;
    OCR5A = due + PERIOD_TICKS;
    if (waited > latency)
        latency = waited;
    if (halted)
        return;
    if (busy) {
        late++;
        return;
    }
    busy = true;
    began = clock_at(due); /* by the beat: what the start waited is the health's latency */
    at = scan;
    SCAN_TURN = 0;
    SCAN_INPUT = 0;
    ADCSRA = ADC_ON | (1 << ADSC); /* the first one is discarded, the next reads the same address: nothing to select */
}

void scan_begin(void)
{
    SELECT_DDR |= SELECT_MASK;
    address(0);
    DIDR0 = 0xFF; /* no digital inputs on the analog pins */
    DIDR2 = 0xFF;
    ADCSRA = 0; /* a conversion from before a restart must not be taken for the first */
    input(0);
    ADCSRA = ADC_ON | (1 << ADIF);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        OCR5A = TCNT5 + PERIOD_TICKS;
        TIFR5 = 1 << OCF5A;
        TIMSK5 |= 1 << OCIE5A;
    }
}

const uint16_t *scan_ready(uint32_t *ticks)
{
    if (!(EVENTS & EVENT_SCAN))
        return 0;
    *ticks = began; /* stands still while busy */
    return scan;
}

void scan_release(void)
{
    input(0);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) EVENTS &= (uint8_t)~EVENT_SCAN;
    busy = false;
}

static uint16_t read16(volatile uint16_t *number)
{
    uint16_t value;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) value = *number;
    return value;
}

uint16_t scan_late(void)
{
    return read16(&late);
}

uint16_t scan_latency_us(void)
{
    return read16(&latency) / 2u;
}

static uint16_t convert(void)
{
    ADCSRA = (ADC_ON & ~(1 << ADIE)) | (1 << ADSC);
    while (ADCSRA & (1 << ADSC))
        ;
    return ADC;
}

static void read_all(uint8_t number, uint16_t *out)
{
    address(number);
    _delay_us(100);
    for (uint8_t m = 0; m < TC_MULTIPLEXERS; m++) {
        input(m);
        convert(); /* discarded, as in a scan */
        out[m] = convert();
    }
}

void scan_wires(struct tc_wires_read *read)
{
    for (uint8_t m = 0; m < TC_MULTIPLEXERS; m++)
        read->paced[m] = scan[m * TC_ADDRESSES + TC_GROUND];
    halted = true;
    read_all(TC_GROUND, read->settled);
    for (uint8_t line = 0; line < TC_LINES; line++)
        read_all(TC_GROUND ^ (1u << line), read->beside[line]);
    address(0);
    input(0);
    ADCSRA = ADC_ON | (1 << ADIF);
    halted = false;
}
