#include "load.h"

#define HIGHEST 0x7FFFFFl
#define LOWEST (-0x800000l)
#define ALL_ONES 0xFFFFFFul

void tc_load_begin(struct tc_load *load, uint32_t now_us)
{
    *load = (struct tc_load){
        .heard_us = now_us,
        .told_us = now_us,
        .settling = TC_LOAD_SETTLING,
        .state = TC_LOAD_STATE_STARTING,
        .lowest = HIGHEST,
        .highest = LOWEST,
    };
}

static int32_t failed(struct tc_load *load, int32_t code)
{
    load->errors++;
    if (load->failed < 255u)
        load->failed++;
    if (load->failed >= TC_LOAD_PATIENCE) {
        load->state = TC_LOAD_STATE_FAULTY;
        if (load->failed % TC_LOAD_PATIENCE == 0)
            load->restart = true;
    }
    return code;
}

static int32_t counts_of(uint32_t bits)
{
    return bits & 0x800000ul ? (int32_t)bits - 0x1000000l : (int32_t)bits;
}

static bool wild(int32_t value, int32_t before)
{
    int32_t step = value - before;
    return step > TC_LOAD_WILD || step < -TC_LOAD_WILD;
}

static int32_t weighed(struct tc_load *load, int32_t value)
{
    load->failed = 0;
    load->same = value == load->before ? (uint8_t)(load->same + (load->same < 255u)) : 0;
    if (!wild(value, load->before))
        load->wild -= load->wild > 0;
    else if (load->wild < 2u * TC_LOAD_RANDOM)
        load->wild++;
    load->before = value;
    if (load->settling) { /* the first conversions after power-up are not settled yet */
        load->settling--;
        return TC_LOAD_ERROR_SETTLING;
    }
    if (load->conversions < 255u)
        load->conversions++;
    load->lowest = value < load->lowest ? value : load->lowest;
    load->highest = value > load->highest ? value : load->highest;
    load->state = load->same >= TC_LOAD_CONSTANT ? TC_LOAD_STATE_CONSTANT
                : load->wild >= TC_LOAD_RANDOM   ? TC_LOAD_STATE_RANDOM
                                                 : TC_LOAD_STATE_OK;
    if (load->state != TC_LOAD_STATE_RANDOM)
        return value;
    load->errors++;
    return TC_LOAD_ERROR_READ_ERROR;
}

int32_t tc_load_take(struct tc_load *load, const struct tc_load_read *read, uint32_t now_us)
{
    load->heard_us = load->told_us = now_us;
    if (read->high_us > TC_LOAD_HIGH_US) {
        load->settling = TC_LOAD_SETTLING;
        return failed(load, TC_LOAD_ERROR_STRETCHED);
    }
    if (read->took_us > TC_LOAD_READ_US)
        return failed(load, TC_LOAD_ERROR_LONG_READ);
    if (!read->line_after || read->bits == ALL_ONES)
        return failed(load, TC_LOAD_ERROR_DESYNC);
    int32_t value = counts_of(read->bits & 0xFFFFFFul);
    if (value == HIGHEST || value == LOWEST) {
        load->errors++;
        load->state = TC_LOAD_STATE_SATURATED;
        load->failed = 0; /* the read itself was sound */
        return value == HIGHEST ? TC_LOAD_ERROR_SATURATED_HIGH : TC_LOAD_ERROR_SATURATED_LOW;
    }
    return weighed(load, value);
}

int32_t tc_load_missing(struct tc_load *load, uint32_t now_us)
{
    if (now_us - load->heard_us >= TC_LOAD_ABSENT_US) {
        if (load->state == TC_LOAD_STATE_ABSENT && now_us - load->told_us < TC_LOAD_ABSENT_US)
            return 0;
        load->told_us = now_us;
        load->state = TC_LOAD_STATE_ABSENT;
        load->settling = TC_LOAD_SETTLING;
        load->errors++;
        load->restart = true;
        return TC_LOAD_ERROR_ABSENT;
    }
    /* the switch-on alone takes longer than the pause between conversions */
    if (load->settling || load->state == TC_LOAD_STATE_STARTING || now_us - load->told_us < TC_LOAD_LATE_US)
        return 0;
    load->told_us = now_us;
    load->errors++;
    return TC_LOAD_ERROR_LATE;
}

void tc_load_second(struct tc_load *load)
{
    load->in_second = load->conversions;
    load->spread = load->conversions ? (uint32_t)(load->highest - load->lowest) : 0;
    load->conversions = 0;
    load->lowest = HIGHEST;
    load->highest = LOWEST;
}
