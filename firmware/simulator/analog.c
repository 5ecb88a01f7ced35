#include "analog.h"

#include <avr_adc.h>
#include <avr_ioport.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ADC_INPUTS 16u
#define ADCSRB 0x7Bu
#define MUX5 0x08u
#define SAMPLE_CYCLES 80u      /* prescaler 32: up to one ADC clock until the conversion starts, 1.5 more to the sample */
#define SETTLE_LEAST_US 10.0   /* SETTLE_US_LEAST of the firmware */

static double gauss(void)
{
    double sum = 0;
    for (int k = 0; k < 12; k++)
        sum += rand() / (double)RAND_MAX;
    return sum - 6;
}

int analog_played(const struct analog *analog)
{
    return (int)analog->scans - (int)analog->options->first_scan - 1;
}

static unsigned frame(const struct analog *analog)
{
    int played = analog_played(analog), last = (int)analog->signals.header->frames - 1;
    return (unsigned)(played < 0 ? 0 : played > last ? last : played);
}

static double target(const struct analog *analog, unsigned input)
{
    unsigned address = (analog->address & ~analog->options->stuck_low) | analog->options->stuck_high;
    return analog->signals.frames[frame(analog)].counts[input * ADDRESSES + (address & 0x0Fu)];
}

/* What a multiplexer's output shows now: it moves from what it held towards the selected sensor. */
static double output(const struct analog *analog, unsigned input)
{
    double us = (double)(analog->avr->cycle - analog->moved) * 1e6 / analog->avr->frequency;
    double to = target(analog, input);
    return to + (analog->line[input] - to) * exp(-us / analog->options->settle_us);
}

static void select_moved(avr_irq_t *irq, uint32_t value, void *param)
{
    struct analog *analog = param;
    uint8_t bit = (uint8_t)(1u << irq->irq), now = (uint8_t)(value ? analog->address | bit : analog->address & ~bit);
    if (now == analog->address)
        return;
    for (unsigned k = 0; k < ADC_INPUTS; k++)
        analog->line[k] = output(analog, k);
    analog->address = now;
    analog->moved = analog->avr->cycle;
}

static avr_cycle_count_t sample(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct analog *analog = param;
    double counts = output(analog, analog->input);

    (void)when;
    if (analog->address != analog->sampling_address)
        analog->moved_while_sampling++;
    if ((double)(avr->cycle - analog->moved) * 1e6 / avr->frequency < SETTLE_LEAST_US)
        analog->short_settles++;
    if (analog->input != analog->input_before) /* charge of another multiplexer is left in the converter */
        counts += (analog->held - counts) * analog->options->bleed;
    if (analog->options->noise > 0)
        counts += gauss() * analog->options->noise;
    analog->input_before = analog->input;
    analog->held = counts;
    counts = counts < 0 ? 0 : counts > 1023 ? 1023 : counts;
    avr_raise_irq(analog->inputs + ADC_IRQ_ADC0 + analog->input % 8, (uint32_t)lround(counts));
    return 0;
}

static void conversion_starts(avr_irq_t *irq, uint32_t value, void *param)
{
    struct analog *analog = param;
    union {
        avr_adc_mux_t mux;
        uint32_t value;
    } now = {.value = value};

    (void)irq;
    unsigned input = now.mux.src % 8 + (analog->avr->data[ADCSRB] & MUX5 ? 8 : 0);
    if (input == 0 && analog->input == ADC_INPUTS - 1 && analog->address == 0) { /* a scan begins */
        analog->scans++;
        if (analog->scans == analog->options->first_scan + 1 && !analog->play_began)
            analog->play_began = analog->avr->cycle;
    }
    analog->conversions++;
    analog->input = input;
    analog->sampling_address = analog->address;
    avr_cycle_timer_register(analog->avr, SAMPLE_CYCLES, sample, analog);
}

void analog_begin(struct analog *analog, avr_t *avr, const struct options *options, struct signals signals)
{
    memset(analog, 0, sizeof *analog);
    analog->avr = avr;
    analog->options = options;
    analog->signals = signals;
    analog->input = analog->input_before = ADC_INPUTS - 1;
    analog->inputs = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, 0);
    avr_irq_register_notify(analog->inputs + ADC_IRQ_OUT_TRIGGER, conversion_starts, analog);
    for (int bit = 0; bit < 4; bit++)
        avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('A'), bit), select_moved, analog);
    /* simavr 1.6 has no place for ADC8 to ADC15: they are led to the places of ADC0 to ADC7, which is right because
       the value is put there anew for each conversion. The reference is set so that it takes counts as they are, but
       only through AREF; any other reference gives wrong ones. */
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "adc"))
            for (int k = 0; k < 8; k++)
                ((avr_adc_t *)io)->muxmode[32 + k] = ((avr_adc_t *)io)->muxmode[k];
    avr->vcc = avr->avcc = 5000;
    avr->aref = 1023;
}
