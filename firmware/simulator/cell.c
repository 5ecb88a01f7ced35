#include "cell.h"

#include <avr_ioport.h>
#include <stdlib.h>
#include <string.h>

#define US(cell, us) ((avr_cycle_count_t)((us) * ((cell)->avr->frequency / 1000000u)))
#define DATA_BIT 1
#define PERIOD_US 12500u
#define SETTLING_US 50000u
#define OFF_US 60u
#define BUSY_AFTER_US 1u /* after the 25th pulse the line goes up */

static void line(struct cell *cell, int level)
{
    if (cell->options->load == LOAD_MISSING)
        level = 1; /* the pull-up */
    /* also as what pulls the pin from outside: else the emulator lets the pull-up win at each write of the port */
    avr_ioport_external_t outside = {.name = 'C', .mask = 1u << DATA_BIT, .value = (unsigned)level << DATA_BIT};
    avr_ioctl(cell->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('C'), &outside);
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
        cell->due = cell->avr->cycle + US(cell, SETTLING_US);
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

void cell_step(struct cell *cell)
{
    const struct signals *signals = &cell->analog->signals;
    avr_cycle_count_t now = cell->avr->cycle;
    unsigned loads = signals->header->loads;

    if (!loads || now < cell->due)
        return;
    bool playing = loads > 1 && cell->analog->play_began;
    if (playing) { /* each conversion at its time */
        if (cell->next >= loads)
            return;
        int64_t at = signals->loads[cell->next].t_us * (int64_t)(cell->avr->frequency / 1000000u);
        if ((int64_t)(now - cell->analog->play_began) < at)
            return;
    } else {
        cell->due = now + US(cell, PERIOD_US);
    }
    if (cell->pulses > 0)
        cell->overtaken++; /* a new conversion in the middle of a read */
    cell->bits = (uint32_t)value(cell) & 0xFFFFFFu;
    cell->pulses = 0;
    line(cell, 0);
    if (playing)
        cell->next++;
}

void cell_begin(struct cell *cell, avr_t *avr, const struct options *options, struct analog *analog)
{
    memset(cell, 0, sizeof *cell);
    cell->avr = avr;
    cell->options = options;
    cell->analog = analog;
    cell->pulses = -1;
    cell->data = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), DATA_BIT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), 0), clock_moved, cell);
    line(cell, 1);
    cell->due = US(cell, SETTLING_US);
}
