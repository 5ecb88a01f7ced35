#include "cell.h"

#include <avr_ioport.h>
#include <stdlib.h>
#include <string.h>

#define US(cell, us) ((avr_cycle_count_t)((us) * ((cell)->avr->frequency / 1000000u)))
#define DATA_BIT 1
#define PERIOD_US 12500u
#define SETTLING_US 50000u
#define OFF_US 60u
#define LOOK_US 100u       /* how often it looks whether the recording has begun, or the chip is awake */

static void line(struct cell *cell, int level)
{
    if (cell->options->load == LOAD_MISSING)
        level = 1; /* the pull-up */
    /* also as what pulls the pin from outside: else the emulator lets the pull-up win at each write of the port */
    avr_ioport_external_t outside = {.name = 'L', .mask = 1u << DATA_BIT, .value = (unsigned)level << DATA_BIT};
    avr_ioctl(cell->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('L'), &outside);
    avr_raise_irq(cell->data, (uint32_t)level);
}

static void clock_moved(avr_irq_t *irq, uint32_t value, void *param)
{
    struct cell *cell = param;
    bool up = value & 1u;

    (void)irq;
    if (up == cell->clock)
        return;
    cell->clock = up;
    if (up) {
        cell->rose = cell->avr->cycle;
        if (cell->options->load == LOAD_MISSED && cell->pulses == 10 && cell->reads % 10 == 5) {
            cell->reads++; /* the chip overlooks this pulse, and is one bit behind from now on */
            return;
        }
        if (cell->pulses >= 0)
            cell->pulses++;
        if (cell->pulses >= 1 && cell->pulses <= 24)
            line(cell, cell->bits >> (24 - cell->pulses) & 1u);
        else if (cell->pulses >= 25)
            line(cell, 1);
        if (cell->options->load == LOAD_STRETCHED && cell->pulses == 10 && cell->reads % 10 == 5)
            cell->avr->cycle += US(cell, 120u);
        return;
    }
    if (cell->avr->cycle - cell->rose > US(cell, OFF_US)) {
        cell->powered_down++;
        cell->reads++;
        cell->pulses = -1;
        cell->awake = cell->avr->cycle + US(cell, SETTLING_US);
        line(cell, 1);
    } else if (cell->pulses == 25) {
        cell->reads++;
        cell->pulses = -1;
    } else if (cell->pulses > 25) {
        cell->wrong_pulses++;
        cell->pulses = -1;
    }
}

static int32_t value(struct cell *cell)
{
    if (cell->options->load == LOAD_RANDOM)
        return rand() & 0xFFFFFF;
    return cell->analog->signals.loads[cell->next].value;
}

/* When the conversion at hand is ready: a recording's at its own time. */
static avr_cycle_count_t ready(const struct cell *cell)
{
    const struct analog *analog = cell->analog;
    avr_cycle_count_t at = cell->due;

    if (cell->playing)
        at = analog->play_began + US(cell, (uint64_t)analog->signals.loads[cell->next].t_us);
    return at > cell->awake ? at : cell->awake;
}

static avr_cycle_count_t convert(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct cell *cell = param;
    unsigned loads = cell->analog->signals.header->loads;

    (void)when;
    cell->playing = loads > 1 && cell->analog->play_began;
    if (cell->playing && cell->next >= loads)
        return 0;
    if (avr->cycle >= ready(cell)) {
        if (cell->pulses > 0)
            cell->overtaken++; /* a new conversion in the middle of a read */
        cell->bits = (uint32_t)value(cell) & 0xFFFFFFu;
        cell->pulses = 0;
        line(cell, 0);
        if (!cell->playing)
            cell->due = avr->cycle + US(cell, PERIOD_US);
        else if (++cell->next == loads)
            return 0;
    }
    avr_cycle_count_t look = avr->cycle + US(cell, LOOK_US), at = ready(cell);
    return at > avr->cycle && at < look ? at : look;
}

void cell_begin(struct cell *cell, avr_t *avr, const struct options *options, struct analog *analog)
{
    memset(cell, 0, sizeof *cell);
    cell->avr = avr;
    cell->options = options;
    cell->analog = analog;
    cell->pulses = -1;
    cell->data = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('L'), DATA_BIT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('L'), 0), clock_moved, cell);
    line(cell, 1);
    cell->awake = US(cell, SETTLING_US);
    if (analog->signals.header->loads)
        avr_cycle_timer_register_usec(avr, LOOK_US, convert, cell);
}
