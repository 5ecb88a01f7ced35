/* The pins of the HX711: a read with bounded clock pulses, and what was seen of it. */
#ifndef TC_HX711_H
#define TC_HX711_H

#include <stdbool.h>

#include "../core/load.h"
#include "pins.h"

void hx711_begin(void);

/* Whether a conversion is waiting. */
static inline bool hx711_ready(void)
{
    return !(LOAD_PIN & LOAD_DATA);
}

void hx711_read(struct tc_load_read *read);

/* Switches the chip off for a moment, which resets it. */
void hx711_restart(void);

#endif
