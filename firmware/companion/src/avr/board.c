#include "board.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <util/atomic.h>

#include "../core/command.h"
#include "../core/parts.h"
#include "../core/plan.h"
#include "../core/say.h"
#include "clock.h"
#include "events.h"
#include "hx711.h"
#include "identity.h"
#include "pins.h"
#include "scan.h"
#include "uart.h"

#define SECOND_US 1000000ul
#define BLINK_US 250000ul
#define MISMATCH_SECONDS 10u

enum { OWE_HELLO = 1, OWE_HEALTH = 2, OWE_DIAGNOSIS = 4, OWE_LOG = 8, OWE_DONE = 16 };

struct link {
    struct tc_ear ear;
    struct tc_parts parts;
    bool silent, thin;
    uint8_t every, wait, owed, done_id, done_code;
    uint16_t seq, loads_sent;
};

static struct link links[UARTS];
static struct identity identity;
static struct tc_load load;
static struct tc_conversions conversions;
static struct tc_condition condition;
static struct tc_wires wires;
static uint16_t hall[TC_SENSORS], spare[TC_SPARES];
static uint8_t payload[TC_MAX_SAID];
static uint32_t second_us, blink_us, work_ticks;
static uint16_t awake;
static uint8_t blinks;
static bool diagnose = true;
static uint32_t taken_ticks; /* when the scan began that hall and spare hold */

static uint16_t counter(void)
{
    uint16_t ticks;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) ticks = TCNT5;
    return ticks;
}

static void owe(uint8_t what)
{
    for (uint8_t port = 0; port < UARTS; port++)
        links[port].owed |= what;
}

static uint16_t written(const struct link *link, uint8_t what)
{
    switch (what) {
    case OWE_HELLO:
        return tc_say_hello(payload, identity.boot, (uint32_t)link->every * TC_PERIOD_US, identity.table_id);
    case OWE_HEALTH:
        return tc_say_health(payload, clock_us(), &condition, &load, spare);
    case OWE_DIAGNOSIS:
        return tc_say_diagnosis(payload, clock_us(), &wires, &load);
    case OWE_LOG:
        return tc_say_log(payload, clock_us(), "table companion, Arduino Mega 2560");
    default:
        return tc_say_done(payload, link->done_id, link->done_code);
    }
}

/* Sends what the link still has to say, as far as buffer and budget reach. */
static void pay(uint8_t port)
{
    struct link *link = &links[port];

    for (uint8_t what = OWE_HELLO; what <= OWE_DONE && link->owed; what <<= 1) {
        if (!(link->owed & what))
            continue;
        uint16_t size = written(link, what);
        if (link->thin && !tc_budget_spend(&link->parts.budget, TC_WIRE_SIZE(size)))
            return;
        if (!uart_send(port, payload, size))
            return;
        link->owed &= (uint8_t)~what;
    }
}

static void blink_for(uint8_t seconds)
{
    blinks = seconds > 60u ? 240u : (uint8_t)(seconds * 4u);
    if (!blinks)
        LIGHT_PORT &= (uint8_t)~LIGHT;
}

static bool set_rate(struct link *link, uint8_t every, uint16_t budget)
{
    if (budget ? !tc_parts_rate(&link->parts, every, budget) : !every || every > TC_MOST_EVERY)
        return false;
    link->thin = budget != 0;
    link->every = every;
    link->wait = 1;
    link->owed |= OWE_HELLO; /* it tells the new pace */
    return true;
}

static void obey(struct link *link, const struct tc_command *command)
{
    link->done_id = command->id;
    link->done_code = command->code;
    link->owed |= OWE_DONE;
    if (command->id == TC_GREET_ID)
        link->owed |= OWE_HELLO;
    if (command->code == TC_DONE_CODE_MISMATCH)
        blink_for(MISMATCH_SECONDS);
    if (command->code != TC_DONE_CODE_OK)
        return;
    switch (command->id) {
    case TC_START_ID:
        link->silent = false;
        tc_parts_anew(&link->parts);
        break;
    case TC_STOP_ID:
        link->silent = true;
        break;
    case TC_RATE_ID:
        if (!set_rate(link, command->every, command->budget))
            link->done_code = TC_DONE_CODE_BAD_VALUE;
        break;
    case TC_DIAGNOSE_ID:
        diagnose = true;
        break;
    case TC_IDENTIFY_ID:
        blink_for(command->seconds);
        link->owed |= OWE_HELLO;
        break;
    case TC_NAME_ID:
        identity_rename(&identity, command->table_id);
        owe(OWE_HELLO);
        break;
    }
}

static void listen(uint8_t port)
{
    struct tc_command command;
    int16_t byte;

    /* one command a round: its answer goes out before the next is read */
    while (!(links[port].owed & OWE_DONE) && (byte = uart_receive(port)) >= 0)
        if (tc_hear(&links[port].ear, (uint8_t)byte, &command))
            obey(&links[port], &command);
}

static void weigh(void)
{
    struct tc_load_read read;
    uint32_t now = clock_us();
    int32_t value;

    if (hx711_ready()) {
        hx711_read(&read);
        value = tc_load_take(&load, &read, now);
        now = read.ready_us;
    } else {
        value = tc_load_missing(&load, now);
        if (!value)
            return;
    }
    tc_conversions_add(&conversions, now, value);
    if (load.restart) {
        load.restart = false;
        hx711_restart();
    }
}

static void each_second(uint32_t now)
{
    second_us += SECOND_US;
    if (now - second_us >= SECOND_US)
        second_us = now;
    tc_load_second(&load);
    condition.busy = (uint8_t)(work_ticks / (2u * SECOND_US / 100u));
    work_ticks = 0;
    condition.late = scan_late();
    condition.latency_us = scan_latency_us();
    condition.refused = links[0].ear.refused + links[1].ear.refused;
    owe(OWE_HELLO | OWE_HEALTH);
}

static void blink(uint32_t now)
{
    if (!blinks || now - blink_us < BLINK_US)
        return;
    blink_us = now;
    LIGHT_PORT ^= LIGHT;
    if (!--blinks)
        LIGHT_PORT &= (uint8_t)~LIGHT;
}

/* Sleeps until there is something to do; every interrupt wakes for a moment, so the loop is short. */
static void wait(void)
{
    work_ticks += (uint16_t)(counter() - awake);
    sleep_enable();
    for (;;) {
        cli();
        if (EVENTS || hx711_ready())
            break;
        sei(); /* takes effect after the next instruction: nothing can come in between */
        sleep_cpu();
    }
    sei();
    sleep_disable();
    awake = counter();
}

/* Takes over a scan that is over, so that the next one begins in time, with the conversions that came until its end. */
static void take_scan(void)
{
    const uint16_t *scan;
    struct tc_wires_read read;

    if (EVENTS & EVENT_TAKEN)
        return;
    scan = scan_ready(&taken_ticks);
    weigh();
    if (!scan)
        return;
    tc_plan_sort(scan, hall, spare);
    if (diagnose) {
        diagnose = false;
        scan_wires(&read);
        wires = tc_wires_judge(&read);
        owe(OWE_DIAGNOSIS);
    }
    scan_release();
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) EVENTS |= EVENT_TAKEN;
}

/* While a part is encoded. */
static void meanwhile(void)
{
    if (EVENTS & EVENT_SCAN)
        take_scan();
}

static void send(uint8_t port, uint16_t size)
{
    struct link *link = &links[port];

    if (!size)
        return; /* a part whose turn comes with the next scan */
    link->seq++; /* also of one that finds no room: the host shall see that it is missing */
    if (!uart_send(port, payload, size)) {
        condition.dropped++;
        tc_parts_anew(&link->parts);
    }
}

/* Sends what links have to say after a scan: parts, which take long, last, so that the next scan can be taken over. */
static void send_scan(uint32_t ticks)
{
    bool parts_due[UARTS];

    for (uint8_t port = 0; port < UARTS; port++) {
        struct link *link = &links[port];
        bool due = link->thin ? tc_parts_tick(&link->parts, hall) : --link->wait == 0;

        pay(port);
        if (due)
            link->wait = link->every;
        due = due && !link->silent;
        parts_due[port] = due && link->thin;
        if (due && !link->thin)
            send(port, tc_say_frame(payload, (uint8_t)identity.boot, link->seq, ticks, &conversions,
                                    &link->loads_sent, hall));
    }
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) EVENTS &= (uint8_t)~EVENT_TAKEN;
    for (uint8_t port = 0; port < UARTS; port++) {
        struct link *link = &links[port];

        if (parts_due[port])
            send(port, tc_parts_say(&link->parts, payload, (uint8_t)identity.boot, link->seq, ticks, &conversions,
                                    &link->loads_sent, meanwhile));
    }
}

void board_begin(void)
{
    cli();
    EVENTS = 0;
    TIMSK0 = 0; /* the Arduino core's clock is not used here */
    LIGHT_DDR |= LIGHT;
    identity_begin(&identity);
    condition.reset = identity.reset;
    clock_begin();
    uart_begin();
    hx711_begin();
    tc_load_begin(&load, 0);
    for (uint8_t port = 0; port < UARTS; port++)
        tc_ear_begin(&links[port].ear);
    set_rate(&links[0], 1, 0);
    set_rate(&links[1], TC_PARTS_EVERY, TC_PARTS_BUDGET);
    owe(OWE_LOG | OWE_HELLO);
    set_sleep_mode(SLEEP_MODE_IDLE);
    identity_guard();
    sei();
    scan_begin();
}

void board_step(void)
{
    uint32_t now = clock_us();

    identity_alive();
    take_scan();
    if (EVENTS & EVENT_TAKEN)
        send_scan(taken_ticks);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) EVENTS &= (uint8_t)~EVENT_BYTE;
    for (uint8_t port = 0; port < UARTS; port++)
        listen(port);
    if (now - second_us >= SECOND_US)
        each_second(now);
    blink(now);
    wait();
}
