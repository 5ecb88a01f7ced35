#include "fast.h" /* first: it counts from here on */
#include "plan.h"

static const uint8_t sensors_on[TC_MULTIPLEXERS] = TC_SENSORS_ON;

void tc_plan_sort(const uint16_t *scan, uint16_t *hall, uint16_t *spare)
{
    for (uint8_t m = 0; m < TC_MULTIPLEXERS; m++) {
        uint8_t a = 0;
        for (; a < sensors_on[m]; a++)
            *hall++ = *scan++;
        for (; a < TC_ADDRESSES; a++)
            *spare++ = *scan++;
    }
}
