/* The messages between board and host: made by firmware/generate.py from firmware/messages.toml; do not edit. */
#ifndef TC_MESSAGES_H
#define TC_MESSAGES_H

#define TC_PROTOCOL 2u
#define TC_DEFINITION 0x8C72u
#define TC_MAX_SENSORS 512u
#define TC_MAX_LOADS 16u
#define TC_MAX_SPARES 64u
#define TC_MAX_TEXT 120u
#define TC_MAX_PAYLOAD 779u
#define TC_MAX_COMMAND 121u

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
#define TC_FRAME_LOAD_TICKS 0u /* u32: when the conversion was ready, microseconds since boot, wraps */
#define TC_FRAME_LOAD_VALUE 4u /* i32: counts, 24 bit with sign; an error code where it lies outside that range */
#define TC_FRAME_LOAD_SIZE 8u
/* then hall (packed10): raw counts in the table's order: sensor k is bits 10k to 10k+9, least significant bit first */

/* A line for people; never parsed. */
#define TC_LOG_ID 3u
#define TC_LOG_TICKS 1u /* u32: when, microseconds since boot, wraps */
#define TC_LOG_SIZE 5u
/* then text (text): UTF-8, at most 120 bytes */

/* Means of all sensors over the scans since the part before: in place of frames where the link is thin. */
#define TC_PART_ID 4u
#define TC_PART_BOOT 1u /* u8: low byte of the boot id: a reset shows even when its hello was lost */
#define TC_PART_SEQ 2u /* u16: number of this frame or part since boot, wraps */
#define TC_PART_TICKS 4u /* u32: start of the newest scan, microseconds since boot, wraps after 71.6 minutes */
#define TC_PART_SENSORS 8u /* u16: number of sensors of the table */
#define TC_PART_LOADS 10u /* u8: number of load conversions that follow */
#define TC_PART_SCANS 11u /* u8: how many scans the means are of */
#define TC_PART_TURN 12u /* u8: the block that comes first */
#define TC_PART_BASES 13u /* u8: so many blocks, from the first on, give bases; the others differences from what is expected */
#define TC_PART_COARSE 14u /* u8: a difference of 1 is 2 to the power of this, in quarters of a count */
#define TC_PART_SIZE 15u
#define TC_PART_LOAD_BEFORE 0u /* i16: how long before ticks the conversion was ready, in 16 microseconds; negative: after */
#define TC_PART_LOAD_VALUE 2u /* i32: counts, 24 bit with sign; an error code where it lies outside that range */
#define TC_PART_LOAD_SIZE 6u
#define TC_PART_BLOCK 11u
#define TC_PART_UNIT 4u
#define TC_PART_SMALL 6u
/* then hall (blocks): bits, least significant first: the blocks of 11 sensors in their round; bases of 12 bits in quarters of a count, or 3 bits that say how the differences are written, and these */

/* How the board does. Sent once a second. Counters count since boot and wrap. */
#define TC_HEALTH_ID 5u
#define TC_HEALTH_TICKS 1u /* u32: when, microseconds since boot, wraps */
#define TC_HEALTH_RESET 5u /* u8: why the board started: one of reset_causes */
#define TC_HEALTH_BUSY 6u /* u8: per cent of the last second in which the main loop was at work, with the interrupts within it */
#define TC_HEALTH_LATENCY_US 7u /* u16: longest time since boot that the start of a scan waited for other interrupts */
#define TC_HEALTH_LATE 9u /* u16: scans left out because the one before was not over */
#define TC_HEALTH_DROPPED 11u /* u16: frames and parts left out because the link had no room */
#define TC_HEALTH_REFUSED 13u /* u16: commands that were damaged or made no sense */
#define TC_HEALTH_LOAD 15u /* u8: what the load cell does: one of load_states */
#define TC_HEALTH_LOAD_ERRORS 16u /* u16: load conversions that were no weight */
#define TC_HEALTH_SPARES 18u /* u8: number of spare channels that follow */
#define TC_HEALTH_SIZE 19u
/* then spare (packed10): raw counts of the channels without a sensor, multiplexer by multiplexer, address by address */

/* What the board finds out about its own wires; sent when asked for and once after a reset. */
#define TC_DIAGNOSIS_ID 6u
#define TC_DIAGNOSIS_TICKS 1u /* u32: when, microseconds since boot, wraps */
#define TC_DIAGNOSIS_STUCK_LOW 5u /* u8: select lines that never rise: bit b is line b */
#define TC_DIAGNOSIS_STUCK_HIGH 6u /* u8: select lines that never fall: bit b is line b */
#define TC_DIAGNOSIS_UNGROUNDED 7u /* u16: multiplexers whose ground channel is not at ground: bit m is multiplexer m; absent, or not powered */
#define TC_DIAGNOSIS_BLEED 9u /* u16: most counts by which a ground channel read after a sensor differs from the same read long after: the sample before bleeds into the next */
#define TC_DIAGNOSIS_CONVERSIONS 11u /* u8: load conversions in the last second */
#define TC_DIAGNOSIS_SPREAD 12u /* u32: largest less smallest of them, counts */
#define TC_DIAGNOSIS_SIZE 16u

/* The answer to a command. */
#define TC_DONE_ID 7u
#define TC_DONE_COMMAND 1u /* u8: id of the command */
#define TC_DONE_CODE 2u /* u8: one of done_codes */
#define TC_DONE_SIZE 3u

/* Who asks. The board answers with done and hello; it says mismatch where the two do not speak alike. */
#define TC_GREET_ID 33u
#define TC_GREET_PROTOCOL 1u /* u8: protocol number of the host; first, at this place in every version */
#define TC_GREET_DEFINITION 2u /* u16: check value of messages.toml at the host */
#define TC_GREET_SIZE 4u

/* Send frames, or parts with all bases as soon as they fit. A board sends without being asked; start ends a stop. */
#define TC_START_ID 34u
#define TC_START_SIZE 1u

/* Send no frames until start or a reset; hello and health go on. */
#define TC_STOP_ID 35u
#define TC_STOP_SIZE 1u

/* How much to send on this link. */
#define TC_RATE_ID 36u
#define TC_RATE_EVERY 1u /* u8: send each n-th scan: 1 to 16 */
#define TC_RATE_BUDGET 2u /* u16: bytes a second that the link carries: parts; 0: whole frames. Refused where it cannot hold the bound of parts */
#define TC_RATE_SIZE 4u

/* Test the select lines and the settling; the board answers with diagnosis within a second. */
#define TC_DIAGNOSE_ID 37u
#define TC_DIAGNOSE_SIZE 1u

/* Blink, so that a person sees which board it is. The board answers with done and hello. */
#define TC_IDENTIFY_ID 38u
#define TC_IDENTIFY_SECONDS 1u /* u8: how long; 0 ends it */
#define TC_IDENTIFY_SIZE 2u

/* Which table this board belongs to; kept over resets. The board answers with done and hello. */
#define TC_NAME_ID 39u
#define TC_NAME_SIZE 1u
/* then table_id (text): 1 to 32 bytes of UTF-8, the same as in the table's table.json */

/* load_errors */
#define TC_LOAD_ERROR_READ_ERROR 0x1000001L
#define TC_LOAD_ERROR_LATE 0x1000002L
#define TC_LOAD_ERROR_ABSENT 0x1000003L
#define TC_LOAD_ERROR_STRETCHED 0x1000004L
#define TC_LOAD_ERROR_LONG_READ 0x1000005L
#define TC_LOAD_ERROR_DESYNC 0x1000006L
#define TC_LOAD_ERROR_SETTLING 0x1000007L
#define TC_LOAD_ERROR_SATURATED_HIGH 0x1000008L
#define TC_LOAD_ERROR_SATURATED_LOW 0x1000009L

/* load_states */
#define TC_LOAD_STATE_STARTING 0x0u
#define TC_LOAD_STATE_OK 0x1u
#define TC_LOAD_STATE_ABSENT 0x2u
#define TC_LOAD_STATE_FAULTY 0x3u
#define TC_LOAD_STATE_SATURATED 0x4u
#define TC_LOAD_STATE_CONSTANT 0x5u
#define TC_LOAD_STATE_RANDOM 0x6u

/* reset_causes */
#define TC_RESET_CAUSE_POWER_ON 0x0u
#define TC_RESET_CAUSE_EXTERNAL 0x1u
#define TC_RESET_CAUSE_BROWN_OUT 0x2u
#define TC_RESET_CAUSE_WATCHDOG 0x3u
#define TC_RESET_CAUSE_UNKNOWN 0x4u

/* done_codes */
#define TC_DONE_CODE_OK 0x0u
#define TC_DONE_CODE_UNKNOWN 0x1u
#define TC_DONE_CODE_BAD_VALUE 0x2u
#define TC_DONE_CODE_MISMATCH 0x3u

#endif
