/* What to send where the link is thin: a part within a budget of bytes. Of each sensor it tells the mean of the scans
   since the last part, rounded, which has less noise than one scan; of more than four scans the later ones count more.

   First the sensors that are due in turn, so that nothing is older than TC_OLDEST_MS; then those that have changed
   beyond the noise since they were last sent, the most changed first; then, while there is room, those that have changed
   at all, and more in turn: what reads as it was sent is known already.
   Whatever is sent is a plain value: a lost part costs freshness until the turn comes round, never truth. */
#ifndef TC_PARTS_H
#define TC_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "channels.h"
#include "messages.h"
#include "say.h"

#define TC_OLDEST_MS 1000u    /* no sensor goes unsent for longer */
#define TC_CHANGE_COUNTS 2u   /* twice to three times the noise of 0.4 to 0.7 counts rms */
#define TC_MOST_EVERY 16u     /* scans from part to part: more load conversions than a part carries come no sooner */
#define TC_PARTS_EVERY 4u     /* as the board starts: 25 parts a second... */
#define TC_PARTS_BUDGET 3000u /* ...within 3 kB/s */

struct tc_parts {
    uint16_t sent[TC_SENSORS];   /* the counts last sent of each */
    uint16_t sum[TC_SENSORS];    /* of the scans since the last part */
    uint8_t scans;
    uint16_t turn;               /* the sensor whose turn is next */
    uint8_t every, wait;         /* scans from part to part, and until the next */
    uint16_t budget;             /* bytes a second */
    uint16_t bytes, hundredths;  /* what may be sent now */
};

/* Sets the pace; false, and nothing changes, where the budget cannot hold the bound. */
bool tc_parts_rate(struct tc_parts *parts, uint8_t every, uint16_t budget);

/* After each scan and before its messages: the link has carried a little more. True where a part is due. */
bool tc_parts_tick(struct tc_parts *parts, const uint16_t *hall);

/* Takes the wire bytes of another message from the budget; false where there is no room for it now. */
bool tc_parts_spend(struct tc_parts *parts, uint16_t wire_bytes);

/* Writes the payload of a part and gives its size; 0 where the budget does not reach yet. */
uint16_t tc_parts_say(struct tc_parts *parts, uint8_t *out, uint8_t boot, uint16_t seq, uint32_t ticks,
                      const struct tc_conversions *conversions, uint16_t *sent);

#endif
