/* Runs the firmware on an emulated ATmega2560: see options.c for what it can do.

   A test tool. It is linked with libsimavr, which is under the GNU General Public License 3, and so is this program;
   see LICENSE in this folder. Nothing of it is part of what a table runs. */
#define _GNU_SOURCE
#include <avr_eeprom.h>
#include <poll.h>
#include <signal.h>
#include <sim_avr.h>
#include <sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "analog.h"
#include "cell.h"
#include "core/bytes.h"
#include "core/wire.h"
#include "meter.h"
#include "options.h"
#include "port.h"

#define PUMP_CYCLES 8000u       /* of the ports and the pace: 0.5 ms */
#define TAIL_S 0.05             /* after the last frame, for its bytes */
#define HANG_OPCODE 0xCFFFu     /* rjmp to itself */
#define NAME_ROOM 32u
#define NAME_AT 4u              /* in the EEPROM: after the number of the boot */
#define RAM_BYTES 8192u
#define RAM_END 0x2200u

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
    (void)signal;
    stopped = 1;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void name_table(avr_t *avr, const char *name)
{
    uint8_t kept[1 + NAME_ROOM + 2] = {0};
    size_t size = strlen(name) > NAME_ROOM ? NAME_ROOM : strlen(name);
    kept[0] = (uint8_t)size;
    memcpy(kept + 1, name, size);
    tc_put16(kept + 1 + NAME_ROOM, tc_crc(0xFFFF, kept, 1 + NAME_ROOM));
    avr_eeprom_desc_t part = {.ee = kept, .offset = NAME_AT, .size = sizeof kept};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &part);
}

static void keep_eeprom(avr_t *avr, const char *path, bool save)
{
    uint8_t bytes[4096];
    avr_eeprom_desc_t all = {.ee = bytes, .offset = 0, .size = sizeof bytes};
    FILE *file = fopen(path, save ? "wb" : "rb");
    if (!file)
        return;
    if (save) {
        avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &all);
        fwrite(bytes, 1, sizeof bytes, file);
    } else if (fread(bytes, 1, sizeof bytes, file) == sizeof bytes) {
        avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &all);
    }
    fclose(file);
}

/* The supply breaks down for a moment: everything but the EEPROM begins anew. */
static void brown_out(avr_t *avr)
{
    avr_reset(avr);
    avr_regbit_set(avr, avr->reset_flags.borf);
}

/* The main loop hangs where it is: its instruction becomes a jump to itself, until the program starts again. */
struct hang {
    uint32_t at;
    uint16_t instruction;
    bool on;
};

static void hang_begin(struct hang *hang, avr_t *avr)
{
    hang->at = avr->pc;
    hang->instruction = tc_get16(avr->flash + hang->at);
    tc_put16(avr->flash + hang->at, HANG_OPCODE);
    hang->on = true;
}

static void hang_watch(struct hang *hang, avr_t *avr)
{
    if (hang->on && avr->pc == 0) {
        tc_put16(avr->flash + hang->at, hang->instruction);
        hang->on = false;
    }
}

static bool in_main(const avr_t *avr)
{
    return avr->state == cpu_Running && avr->sreg[S_I];
}

static void report(const avr_t *avr, const elf_firmware_t *firmware, const struct analog *analog,
                   const struct cell *cell, const struct port *ports, const struct meter *meter, double wall_s)
{
    double cycles = (double)(avr->cycle - meter->since), us = 1e6 / avr->frequency;
    unsigned fixed = firmware->datasize + firmware->bsssize, stack = RAM_END - 1u - meter->lowest_stack;

    printf("{\"virtual_s\": %.4f, \"wall_s\": %.3f, \"busy\": %.4f, \"flash\": %u, \"ram_fixed\": %u, \"ram_stack\": %u,"
           " \"ram\": %u, \"scans\": %u, \"conversions\": %lu, \"moved_while_sampling\": %lu, \"short_settles\": %lu,",
           (double)avr->cycle / avr->frequency, wall_s, 1 - (double)meter->slept / cycles, firmware->flashsize, fixed,
           stack, RAM_BYTES, analog->scans, analog->conversions, analog->moved_while_sampling, analog->short_settles);
    printf(" \"load_reads\": %lu, \"load_powered_down\": %lu, \"load_wrong_pulses\": %lu, \"load_overtaken\": %lu,",
           cell->reads, cell->powered_down, cell->wrong_pulses, cell->overtaken);
    for (int k = 0; k < 2; k++)
        printf(" \"port%d\": {\"bytes\": %lu, \"messages\": %lu, \"lost_bytes\": %lu, \"most_in_second\": %lu},", k,
               ports[k].bytes, ports[k].messages, ports[k].lost_bytes, ports[k].most_in_second);
    printf(" \"latency_us\": {");
    for (int k = 0; k < METERED; k++)
        printf("%s\"%s\": %.2f", k ? ", " : "", meter->interrupts[k].name, (double)meter->interrupts[k].worst * us);
    printf("}}\n");
    fflush(stdout);
}

/* Keeps the ports open, for a host that still reads, until whoever started this closes its end of stdout. */
static void hold(void)
{
    struct pollfd reader = {.fd = STDOUT_FILENO, .events = 0};
    poll(&reader, 1, -1);
}

int main(int count, char **words)
{
    static struct port ports[2];
    static struct meter meter;
    static struct analog analog;
    static struct cell cell;
    struct options options = options_read(count, words);
    struct signals signals = signals_open(options.signals);
    elf_firmware_t firmware;
    struct hang hang = {0, 0, false};

    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(options.firmware, &firmware)) {
        fprintf(stderr, "%s is no firmware: build it first.\n", options.firmware);
        return 2;
    }
    avr_t *avr = avr_make_mcu_by_name("atmega2560");
    if (!avr)
        return 2;
    avr_init(avr);
    firmware.frequency = 16000000;
    avr_load_firmware(avr, &firmware);
    avr->log = LOG_ERROR;
    if (options.eeprom)
        keep_eeprom(avr, options.eeprom, false);
    if (options.table_id)
        name_table(avr, options.table_id);
    meter_begin(&meter, avr);
    analog_begin(&analog, avr, &options, signals);
    cell_begin(&cell, avr, &options, &analog);
    port_begin(&ports[0], avr, '0', &options, &analog);
    port_begin(&ports[1], avr, '1', &options, &analog);
    printf("PTY %s %s\n", ports[0].name, ports[1].name);
    fflush(stdout);

    prctl(PR_SET_PDEATHSIG, SIGTERM); /* whoever started this reads the ports; without it there is nothing to do */
    struct sigaction act = {.sa_handler = stop};
    sigaction(SIGTERM, &act, NULL);
    sigaction(SIGINT, &act, NULL);
    if (options.await_host)
        port_await(ports, 2);

    double began = now(), end_s = options.seconds > 0 ? options.seconds : 1e12;
    avr_cycle_count_t pump_due = 0;
    bool browned = false, hung = false, warm = false;
    while (!stopped) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "the firmware crashed at %.4f s\n", (double)avr->cycle / avr->frequency);
            return 1;
        }
        hang_watch(&hang, avr);
        if (avr->cycle < pump_due)
            continue;
        pump_due = avr->cycle + PUMP_CYCLES;
        double s = (double)avr->cycle / avr->frequency;
        port_step(&ports[0]);
        port_step(&ports[1]);
        if (options.speed > 0) {
            double ahead = s / options.speed - (now() - began);
            if (ahead > 0.001)
                usleep((useconds_t)(ahead * 1e6));
        }
        if (!warm && analog.scans >= 8) {
            warm = true;
            meter_clear(&meter);
        }
        if (options.brown_out_s > 0 && !browned && s >= options.brown_out_s) {
            browned = true;
            brown_out(avr);
        }
        if (options.hang_s > 0 && !hung && s >= options.hang_s && in_main(avr)) {
            hung = true;
            hang_begin(&hang, avr);
        }
        if (options.seconds <= 0 && signals.header->frames > 1 && analog.play_began)
            end_s = (double)analog.play_began / avr->frequency + signals.header->frames * 0.01 + TAIL_S;
        if (s >= end_s)
            break;
    }
    double wall_s = now() - began;
    if (options.eeprom)
        keep_eeprom(avr, options.eeprom, true);
    report(avr, &firmware, &analog, &cell, ports, &meter, wall_s);
    if (options.lossless && !stopped)
        hold();
    return 0;
}
