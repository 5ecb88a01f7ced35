#include "budget.h"

#include "channels.h"
#include "wire.h"

#define SCANS_A_SECOND (1000000ul / TC_PERIOD_US)
#define HELD 100u /* bytes a second of hello and health: kept back, so that no part is small because they are due */

void tc_budget_begin(struct tc_budget *budget, uint8_t every, uint16_t a_second)
{
    budget->every = every;
    budget->wait = 1;
    budget->a_second = a_second;
    budget->bytes = 0;
    budget->held = HELD;
}

bool tc_budget_tick(struct tc_budget *budget)
{
    uint16_t most = (uint16_t)((uint32_t)budget->a_second * (budget->every + 2u) / SCANS_A_SECOND + HELD);

    budget->bytes += budget->a_second / SCANS_A_SECOND;
    budget->hundredths += budget->a_second % SCANS_A_SECOND;
    if (budget->hundredths >= SCANS_A_SECOND) {
        budget->hundredths -= SCANS_A_SECOND;
        budget->bytes++;
    }
    if (budget->bytes > most)
        budget->bytes = most;
    if (budget->held < HELD)
        budget->held++; /* HELD in a second */
    if (budget->wait)
        budget->wait--;
    return budget->wait == 0;
}

bool tc_budget_spend(struct tc_budget *budget, uint16_t wire_bytes)
{
    if (wire_bytes > budget->bytes)
        return false;
    budget->bytes -= wire_bytes;
    budget->held = budget->held > wire_bytes ? (uint8_t)(budget->held - wire_bytes) : 0;
    return true;
}

uint16_t tc_budget_room(const struct tc_budget *budget, uint16_t payload, uint16_t most)
{
    uint16_t bytes = budget->bytes > budget->held ? budget->bytes - budget->held : 0;

    if (TC_WIRE_SIZE(payload) >= bytes)
        return 0;
    uint16_t left = bytes - TC_WIRE_SIZE(payload);
    if (left > most)
        left = most;
    while (TC_WIRE_SIZE(payload + left) > bytes) /* COBS takes a byte more of a longer one */
        left--;
    return left;
}

void tc_budget_part(struct tc_budget *budget, uint16_t wire_bytes)
{
    budget->bytes -= wire_bytes < budget->bytes ? wire_bytes : budget->bytes;
    budget->wait = budget->every;
}
