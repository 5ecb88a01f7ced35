#include "meter.h"

#include <sim_interrupts.h>
#include <string.h>

#define SPL 0x5Du
#define SPH 0x5Eu

static const struct {
    const char *name;
    uint8_t vector;
} known[METERED] = {
    {"watchdog", 12}, {"scan_start", 47}, {"clock", 50}, {"usb_in", 25},
    {"usb_out", 26}, {"converter", 29}, {"bridge_in", 36}, {"bridge_out", 37},
};

static struct meter *only; /* the emulator's sleep hook takes no parameter */

static void sleeps(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr;
    only->slept += cycles + 1; /* as the emulator counts on */
}

static void pending(avr_irq_t *irq, uint32_t value, void *param)
{
    struct meter *meter = only;
    long k = (long)param;

    (void)irq;
    if (value && !meter->interrupts[k].waiting) {
        meter->interrupts[k].raised = meter->avr->cycle;
        meter->interrupts[k].waiting = true;
    }
    if (!value)
        meter->interrupts[k].waiting = false;
}

static void running(avr_irq_t *irq, uint32_t value, void *param)
{
    struct meter *meter = only;
    long k = (long)param;

    (void)irq;
    if (!value)
        return;
    avr_cycle_count_t waited = meter->avr->cycle - meter->interrupts[k].raised;
    if (waited > meter->interrupts[k].worst)
        meter->interrupts[k].worst = waited;
    meter->interrupts[k].count++;
    uint16_t stack = (uint16_t)(meter->avr->data[SPL] | meter->avr->data[SPH] << 8);
    if (stack < meter->lowest_stack)
        meter->lowest_stack = stack;
}

void meter_clear(struct meter *meter)
{
    for (int k = 0; k < METERED; k++)
        meter->interrupts[k].worst = meter->interrupts[k].count = 0;
    meter->slept = 0;
    meter->since = meter->avr->cycle;
    meter->lowest_stack = 0xFFFF;
}

void meter_begin(struct meter *meter, avr_t *avr)
{
    memset(meter, 0, sizeof *meter);
    only = meter;
    meter->avr = avr;
    avr->sleep = sleeps; /* the emulator's own really sleeps */
    for (long k = 0; k < METERED; k++) {
        avr_irq_t *irq = avr_get_interrupt_irq(avr, known[k].vector);
        meter->interrupts[k].name = known[k].name;
        meter->interrupts[k].vector = known[k].vector;
        if (!irq)
            continue;
        avr_irq_register_notify(irq + AVR_INT_IRQ_PENDING, pending, (void *)k);
        avr_irq_register_notify(irq + AVR_INT_IRQ_RUNNING, running, (void *)k);
    }
    meter_clear(meter);
}
