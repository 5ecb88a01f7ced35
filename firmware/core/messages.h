/* The messages between board and host: made by firmware/generate.py from firmware/messages.toml; do not edit. */
#ifndef TC_MESSAGES_H
#define TC_MESSAGES_H

#define TC_PROTOCOL 1u
#define TC_DEFINITION 0x5769u
#define TC_MAX_SENSORS 512u
#define TC_MAX_LOADS 16u
#define TC_MAX_TEXT 120u
#define TC_MAX_PAYLOAD 779u

/* Who the board is and how it measures. Sent at start, once a second, and when asked. */
#define TC_HELLO_ID 1u
#define TC_HELLO_PROTOCOL 1u /* u8: protocol number; first, at this place in every version */
#define TC_HELLO_DEFINITION 2u /* u16: check value of messages.toml */
#define TC_HELLO_BOOT 4u /* u32: boot id: another one after every reset */
#define TC_HELLO_SENSORS 8u /* u16: number of sensors in a frame */
#define TC_HELLO_PERIOD_US 10u /* u32: time from frame to frame, microseconds */
#define TC_HELLO_SIZE 14u
/* then table_id (text): which table this is; the same as in its table.json */

/* One scan of all sensors and the load conversions that ended since the frame before. */
#define TC_FRAME_ID 2u
#define TC_FRAME_BOOT 1u /* u8: low byte of the boot id: a reset shows even when its hello was lost */
#define TC_FRAME_SEQ 2u /* u16: frame number since boot, wraps */
#define TC_FRAME_TICKS 4u /* u32: start of the scan, microseconds since boot, wraps after 71.6 minutes */
#define TC_FRAME_SENSORS 8u /* u16: number of sensors that follow */
#define TC_FRAME_LOADS 10u /* u8: number of load conversions that follow */
#define TC_FRAME_SIZE 11u
#define TC_FRAME_LOAD_TICKS 0u /* u32: when the conversion was read, microseconds since boot, wraps */
#define TC_FRAME_LOAD_VALUE 4u /* i32: counts, 24 bit with sign; an error code where it lies outside that range */
#define TC_FRAME_LOAD_SIZE 8u
/* then hall (packed10): raw counts in the table's order: sensor k is bits 10k to 10k+9, least significant bit first */

/* A line for people; never parsed. */
#define TC_LOG_ID 3u
#define TC_LOG_TICKS 1u /* u32: when, microseconds since boot, wraps */
#define TC_LOG_SIZE 5u
/* then text (text): UTF-8, at most 120 bytes */

/* values of a load conversion that are no weight */
#define TC_LOAD_READ_ERROR 0x01000001L
#define TC_LOAD_LATE 0x01000002L
#define TC_LOAD_ABSENT 0x01000003L

#endif
