/* The core as a shared library for tests: what its headers keep inline, and the sizes of its states. */
#include <stddef.h>

#include "core/command.h"
#include "core/load.h"
#include "core/packing.h"
#include "core/parts.h"
#include "core/plan.h"
#include "core/say.h"
#include "core/wire.h"
#include "core/wires.h"

size_t host_ear_size(void)
{
    return sizeof(struct tc_ear);
}

size_t host_command_size(void)
{
    return sizeof(struct tc_command);
}

size_t host_load_size(void)
{
    return sizeof(struct tc_load);
}

size_t host_parts_size(void)
{
    return sizeof(struct tc_parts);
}

bool host_parts_spend(struct tc_parts *parts, uint16_t wire_bytes)
{
    return tc_budget_spend(&parts->budget, wire_bytes);
}

size_t host_conversions_size(void)
{
    return sizeof(struct tc_conversions);
}

/* Feeds bytes; gives how many commands came of them, the first `room` of which are in commands. */
unsigned host_hear(struct tc_ear *ear, const uint8_t *bytes, size_t size, struct tc_command *commands, unsigned room)
{
    unsigned count = 0;
    struct tc_command command;

    for (size_t k = 0; k < size; k++)
        if (tc_hear(ear, bytes[k], &command) && count++ < room)
            commands[count - 1] = command;
    return count;
}

unsigned host_refused(const struct tc_ear *ear)
{
    return ear->refused;
}

/* The order of a scan: (multiplexer, turn) of each conversion; gives how many. */
unsigned host_plan(uint8_t *out)
{
    struct tc_plan plan = {0, 0};
    unsigned count = 0;

    do {
        out[2 * count] = plan.multiplexer;
        out[2 * count + 1] = plan.turn;
        count++;
    } while (tc_plan_next(&plan));
    return count;
}

int32_t host_load_take(struct tc_load *load, uint32_t bits, uint16_t high_us, uint16_t took_us, bool line_after,
                       uint32_t now_us)
{
    struct tc_load_read read = {
        .ready_us = now_us, .bits = bits, .high_us = high_us, .took_us = took_us, .line_after = line_after};
    return tc_load_take(load, &read, now_us);
}

uint8_t host_load_state(const struct tc_load *load)
{
    return load->state;
}

/* Whether the port is asked to switch the chip off and on; asking ends it. */
bool host_load_restart(struct tc_load *load)
{
    bool restart = load->restart;
    load->restart = false;
    return restart;
}

/* paced, settled: 16 counts each; beside: 4 times 16; out: stuck_low, stuck_high, ungrounded, bleed. */
void host_wires(const uint16_t *paced, const uint16_t *settled, const uint16_t *beside, uint16_t *out)
{
    struct tc_wires_read read;

    for (unsigned m = 0; m < TC_MULTIPLEXERS; m++) {
        read.paced[m] = paced[m];
        read.settled[m] = settled[m];
        for (unsigned line = 0; line < TC_LINES; line++)
            read.beside[line][m] = beside[line * TC_MULTIPLEXERS + m];
    }
    struct tc_wires wires = tc_wires_judge(&read);
    out[0] = wires.stuck_low;
    out[1] = wires.stuck_high;
    out[2] = wires.ungrounded;
    out[3] = wires.bleed;
}
