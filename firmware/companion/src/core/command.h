/* The commands of the host: bytes in, one checked command out. Whatever else comes is counted, nothing more. */
#ifndef TC_COMMAND_H
#define TC_COMMAND_H

#include <stdint.h>

#include "messages.h"
#include "say.h"
#include "wire.h"

/* The longest frame that is kept: a name of the longest that the board takes. */
#define TC_COMMAND_FRAME TC_WIRE_SIZE(TC_NAME_SIZE + TC_MAX_TABLE_ID)

struct tc_command {
    uint8_t id;
    uint8_t code;      /* one of TC_DONE_CODE_: what to answer if nothing else is wrong */
    uint8_t every;     /* rate */
    uint16_t budget;   /* rate */
    uint8_t seconds;   /* identify */
    char table_id[TC_MAX_TABLE_ID + 1u]; /* name */
};

struct tc_ear {
    uint8_t held[TC_COMMAND_FRAME];
    struct tc_splitter splitter;
    uint16_t refused;  /* frames that were damaged, or no command */
};

void tc_ear_begin(struct tc_ear *ear);

/* Takes one byte; true where it ended a command, which is then in *command (also one to be answered with an error). */
bool tc_hear(struct tc_ear *ear, uint8_t byte, struct tc_command *command);

/* The command of a payload; false where it is none of this protocol. */
bool tc_command_read(const uint8_t *payload, uint16_t size, struct tc_command *command);

#endif
