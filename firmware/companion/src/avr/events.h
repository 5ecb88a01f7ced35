/* What interrupts touch thousands of times a second, in registers that one instruction reads or writes. */
#ifndef TC_EVENTS_H
#define TC_EVENTS_H

#include <avr/io.h>

#define SCAN_TURN GPIOR1  /* the conversion that is running: struct tc_plan, taken apart */
#define SCAN_INPUT GPIOR2

#define EVENTS GPIOR0     /* what the main loop is woken for */
#define EVENT_SCAN 1u   /* a scan is ready */
#define EVENT_BYTE 2u   /* a byte has come from a host */
#define EVENT_TAKEN 4u  /* a scan has been taken over and not yet been sent */

#endif
