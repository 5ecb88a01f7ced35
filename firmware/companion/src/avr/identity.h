/* What outlives a reset: the number of the boot and the name of the table (EEPROM), and why the board started. */
#ifndef TC_IDENTITY_H
#define TC_IDENTITY_H

#include <stdint.h>

#include "../core/say.h"

struct identity {
    uint32_t boot;
    uint8_t reset; /* one of TC_RESET_CAUSE_ */
    char table_id[TC_MAX_TABLE_ID + 1u];
};

/* Counts the boot and reads the rest. */
void identity_begin(struct identity *identity);

/* Keeps a new name; takes up to a tenth of a second. */
void identity_rename(struct identity *identity, const char *table_id);

/* Starts the watchdog: a main loop that does not call identity_alive for half a second is started again. */
void identity_guard(void);
void identity_alive(void);

#endif
