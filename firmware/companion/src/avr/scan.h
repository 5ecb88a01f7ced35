/* The scan: 272 conversions through the multiplexers, every 10 ms, by interrupts. */
#ifndef TC_SCAN_H
#define TC_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "../core/plan.h"
#include "../core/wires.h"

/* At least so long a sensor's address is selected before its sample is taken: CD74HC4067 (some 100 ns) and the filter
   on the way from the sensor (1 kOhm and 1 nF at most: 1 us) to within half a count, with a reserve. */
#define SETTLE_US_LEAST 10u

void scan_begin(void);

/* A finished scan of TC_CHANNELS counts, or none; its start in *ticks. The next one does not begin before
   scan_release, which has to come within the 2 ms that are left. */
const uint16_t *scan_ready(uint32_t *ticks);
void scan_release(void);

/* Scans left out because the one before had not been released. */
uint16_t scan_late(void);

/* Longest wait of a scan's start for other interrupts, in us. */
uint16_t scan_latency_us(void);

/* Reads what the test of the wires needs; to be called between scan_ready and scan_release. Takes about 10 ms, in
   which no scan begins. */
void scan_wires(struct tc_wires_read *read);

#endif
