#include "wires.h"

static uint16_t apart(uint16_t a, uint16_t b)
{
    return a > b ? a - b : b - a;
}

/* The line that reads the same with and without it, on every multiplexer: it cannot rise. 0 where none does. */
static uint8_t low_line(const struct tc_wires_read *read)
{
    uint8_t found = 0;
    uint16_t least = 0xFFFFu;

    for (uint8_t line = 0; line < TC_LINES; line++) {
        uint16_t sum = 0;
        for (uint8_t m = 0; m < TC_MULTIPLEXERS; m++)
            sum += apart(read->settled[m], read->beside[line][m]);
        if (sum <= TC_SAME_COUNTS * TC_MULTIPLEXERS && sum < least) {
            least = sum;
            found = (uint8_t)(1u << line);
        }
    }
    return found;
}

struct tc_wires tc_wires_judge(const struct tc_wires_read *read)
{
    struct tc_wires wires = {0, 0, 0, 0};
    uint8_t grounded = 0;

    for (uint8_t m = 0; m < TC_MULTIPLEXERS; m++) {
        if (read->settled[m] >= TC_GROUND_COUNTS) {
            wires.ungrounded |= (uint16_t)(1u << m);
            continue;
        }
        grounded++;
        uint16_t bleed = apart(read->paced[m], read->settled[m]);
        wires.bleed = bleed > wires.bleed ? bleed : wires.bleed;
    }
    if (!grounded)
        wires.stuck_low = low_line(read);
    /* a line that cannot fall leads each address without it to the one with it: to ground */
    for (uint8_t line = 0; line < TC_LINES && grounded; line++) {
        uint8_t same = 0;
        for (uint8_t m = 0; m < TC_MULTIPLEXERS; m++)
            if (!(wires.ungrounded >> m & 1u) && read->beside[line][m] < TC_GROUND_COUNTS)
                same++;
        if (same == grounded)
            wires.stuck_high |= (uint8_t)(1u << line);
    }
    return wires;
}
