/* What to send where the link is thin: a part within a budget of bytes, with the means of all sensors over the scans
   since the part before, in quarters of a count where they fit and coarser where much moves.

   The sensors are taken in blocks. In turn a block gives its plain values, the bases; the others give differences from
   what the host expects of them. What rounding to counts or coarser leaves over is added to the next mean: over some
   parts coarse values tell as much as fine ones. A host that has lost a part knows nothing before each block has given
   its bases again; it may ask for that at once. */
#ifndef TC_PARTS_H
#define TC_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "budget.h"
#include "channels.h"
#include "messages.h"
#include "say.h"

#define TC_OLDEST_MS 2000u    /* no block goes without bases for longer */
#define TC_MOST_EVERY 16u     /* scans from part to part: more load conversions than a part carries come no sooner */
#define TC_PARTS_EVERY 4u     /* as the board starts: 25 parts a second... */
#define TC_PARTS_BUDGET 3000u /* ...within 3 kB/s */

struct tc_parts {
    int16_t expected[TC_SENSORS]; /* by the host too, quarters of a count */
    int16_t sum[TC_SENSORS];     /* of the scans since the last part, and what that one left over by rounding */
    uint8_t scans;
    uint8_t turn;                /* the block whose turn is next */
    uint16_t owed;               /* bases, in parts of a block */
    uint8_t unknown;             /* blocks, from the next in turn on, that the host does not know */
    struct tc_budget budget;
};

/* Sets the pace; false, and nothing changes, where the budget cannot hold the bound. */
bool tc_parts_rate(struct tc_parts *parts, uint8_t every, uint16_t budget);

/* The host knows nothing: all bases as soon as they fit. */
void tc_parts_anew(struct tc_parts *parts);

/* After each scan and before its messages: the link has carried a little more. True where a part is due. */
bool tc_parts_tick(struct tc_parts *parts, const uint16_t *hall);

/* Writes the payload of a part and gives its size; 0 where the budget does not reach yet. That takes a small processor
   longer than a scan where much moves: meanwhile is called every now and then, and may add conversions. */
uint16_t tc_parts_say(struct tc_parts *parts, uint8_t *out, uint8_t boot, uint16_t seq, uint32_t ticks,
                      const struct tc_conversions *conversions, uint16_t *sent, void (*meanwhile)(void));

#endif
