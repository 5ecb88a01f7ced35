#include "command.h"

#include <string.h>

#include "bytes.h"

void tc_ear_begin(struct tc_ear *ear)
{
    *ear = (struct tc_ear){.splitter = {.held = ear->held, .room = sizeof ear->held}};
}

static bool name_fits(const uint8_t *name, uint16_t size)
{
    if (!size || size > TC_MAX_TABLE_ID)
        return false;
    for (uint16_t k = 0; k < size; k++)
        if (name[k] < ' ' || name[k] == 0x7F)
            return false;
    return true;
}

bool tc_command_read(const uint8_t *payload, uint16_t size, struct tc_command *command)
{
    uint16_t wanted = 1;

    *command = (struct tc_command){.id = payload[0], .code = TC_DONE_CODE_OK};
    switch (command->id) {
    case TC_GREET_ID:
        wanted = TC_GREET_SIZE;
        if (size == wanted && (payload[TC_GREET_PROTOCOL] != TC_PROTOCOL ||
                               tc_get16(payload + TC_GREET_DEFINITION) != TC_DEFINITION))
            command->code = TC_DONE_CODE_MISMATCH;
        break;
    case TC_RATE_ID:
        wanted = TC_RATE_SIZE;
        if (size == wanted) {
            command->every = payload[TC_RATE_EVERY];
            command->budget = tc_get16(payload + TC_RATE_BUDGET);
        }
        break;
    case TC_IDENTIFY_ID:
        wanted = TC_IDENTIFY_SIZE;
        if (size == wanted)
            command->seconds = payload[TC_IDENTIFY_SECONDS];
        break;
    case TC_NAME_ID:
        wanted = size;
        if (name_fits(payload + TC_NAME_SIZE, size - TC_NAME_SIZE))
            memcpy(command->table_id, payload + TC_NAME_SIZE, size - TC_NAME_SIZE);
        else
            command->code = TC_DONE_CODE_BAD_VALUE;
        break;
    case TC_START_ID:
    case TC_STOP_ID:
    case TC_DIAGNOSE_ID:
        break;
    default:
        command->code = TC_DONE_CODE_UNKNOWN;
        return false;
    }
    return size == wanted;
}

bool tc_hear(struct tc_ear *ear, uint8_t byte, struct tc_command *command)
{
    int16_t size = tc_split(&ear->splitter, byte);
    if (!size)
        return false;
    if (size > 0)
        size = tc_unseal(ear->held, (uint16_t)size);
    if (size <= 0) {
        ear->refused++;
        return false;
    }
    if (tc_command_read(ear->held, (uint16_t)size, command))
        return true;
    ear->refused++;
    command->code = TC_DONE_CODE_UNKNOWN; /* a sound frame: its sender should hear that it was not understood */
    return true;
}
