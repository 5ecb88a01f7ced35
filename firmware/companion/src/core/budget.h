/* The bytes that a thin link carries: so many a second, some of them kept back for other messages than parts. */
#ifndef TC_BUDGET_H
#define TC_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct tc_budget {
    uint8_t every, wait;        /* scans from part to part, and until the next */
    uint16_t a_second;          /* bytes */
    uint16_t bytes, hundredths; /* what may be sent now */
    uint8_t held;               /* bytes of it that are kept for other messages */
};

/* Sets the pace. The first part is due with the next scan, as soon as its bytes have come together. */
void tc_budget_begin(struct tc_budget *budget, uint8_t every, uint16_t a_second);

/* After each scan: the link has carried a little more. True where a part is due. */
bool tc_budget_tick(struct tc_budget *budget);

/* Takes the wire bytes of another message; false where there is no room for it now. */
bool tc_budget_spend(struct tc_budget *budget, uint16_t wire_bytes);

/* How many bytes, `most` at most, a part may still have after so many of its payload. */
uint16_t tc_budget_room(const struct tc_budget *budget, uint16_t payload, uint16_t most);

/* Takes the wire bytes of a part, for which there was room. The next one is due `every` scans later. */
void tc_budget_part(struct tc_budget *budget, uint16_t wire_bytes);

#endif
