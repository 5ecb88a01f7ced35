#include "identity.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <string.h>
#include <util/atomic.h>

#include "../core/wire.h"

#define UNNAMED "reference"
#define HUNG 0xB007u

struct name {
    uint8_t size, text[TC_MAX_TABLE_ID];
    uint16_t crc; /* of size and text */
};

struct kept {
    uint32_t boot;
    struct name name;
};

static struct kept EEMEM eeprom;

/* Not cleared by the start-up code: a restart by the watchdog's interrupt leaves its mark here. */
static uint16_t hung __attribute__((section(".noinit")));
static uint8_t flags __attribute__((section(".noinit")));

/* Before main, as soon as there is a stack: a watchdog that is still armed would strike again within 16 ms. */
void identity_first(void) __attribute__((naked, used, section(".init3")));
void identity_first(void)
{
    flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

static uint8_t cause(void)
{
    bool mark = hung == HUNG;
    hung = 0;
    if (mark || flags & (1 << WDRF))
        return TC_RESET_CAUSE_WATCHDOG;
    if (flags & (1 << PORF))
        return TC_RESET_CAUSE_POWER_ON;
    if (flags & (1 << BORF))
        return TC_RESET_CAUSE_BROWN_OUT;
    if (flags & (1 << EXTRF))
        return TC_RESET_CAUSE_EXTERNAL;
    return TC_RESET_CAUSE_UNKNOWN; /* some bootloaders clear the flags */
}

void identity_begin(struct identity *identity)
{
    struct name name;

    identity->reset = cause();
    identity->boot = eeprom_read_dword(&eeprom.boot) + 1u;
    eeprom_update_dword(&eeprom.boot, identity->boot);
    eeprom_read_block(&name, &eeprom.name, sizeof name);
    memset(identity->table_id, 0, sizeof identity->table_id);
    if (name.size && name.size <= TC_MAX_TABLE_ID && tc_crc(0xFFFF, &name.size, sizeof name - 2u) == name.crc)
        memcpy(identity->table_id, name.text, name.size);
    else
        strcpy(identity->table_id, UNNAMED);
}

void identity_rename(struct identity *identity, const char *table_id)
{
    struct name name;

    memset(&name, 0, sizeof name);
    name.size = (uint8_t)strlen(table_id);
    memcpy(name.text, table_id, name.size);
    name.crc = tc_crc(0xFFFF, &name.size, sizeof name - 2u);
    eeprom_update_block(&name, &eeprom.name, sizeof name);
    strcpy(identity->table_id, table_id);
}

void identity_guard(void)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        wdt_reset();
        WDTCSR = (1 << WDCE) | (1 << WDE);
        /* interrupt first, reset if even that does not run; half a second */
        WDTCSR = (1 << WDIE) | (1 << WDE) | (1 << WDP2) | (1 << WDP0);
    }
}

void identity_alive(void)
{
    wdt_reset();
}

/* Starting again from here and not by a reset keeps clear of bootloaders that do not disarm the watchdog and so
   never come back. Everything is set up anew by the start-up code and the begin functions. */
ISR(WDT_vect)
{
    hung = HUNG;
    MCUSR = 0;
    wdt_disable();
    __asm__ volatile("jmp 0");
}
