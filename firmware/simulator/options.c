#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "simulator FIRMWARE.elf --signals FILE [options]\n"
    "Runs the firmware of the table on an emulated ATmega2560; its serial ports are pseudo-terminals, named on stdout.\n"
    "  --seconds S       stop after so much virtual time (default: when signals or host end)\n"
    "  --speed N         virtual seconds in a real one (default: as fast as it goes)\n"
    "  --first-scan N    the scan that measures frame 0 (default 10); frames of earlier scans are not passed on\n"
    "  --await-host      stand still until the host sends a byte\n"
    "  --lossless        wait for a slow host, once it has spoken, instead of losing bytes\n"
    "  --table-id NAME   what the EEPROM says\n"
    "  --eeprom FILE     keeps the EEPROM from run to run\n"
    "  --settle US  --bleed SHARE  --noise COUNTS   of the analog way\n"
    "  --stuck-low BITS  --stuck-high BITS          select lines that do not move\n"
    "  --load missing|stretched|random|missed      faults of the load cell's chip\n"
    "  --brown-out S  --hang S                      when the supply breaks down, when the main loop hangs\n";

static enum load_fault load_fault(const char *word)
{
    static const char *const words[] = {"fine", "missing", "stretched", "random", "missed"};
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
        if (!strcmp(word, words[k]))
            return (enum load_fault)k;
    fprintf(stderr, "--load %s is not known.\n%s", word, help);
    exit(2);
}

struct options options_read(int count, char **words)
{
    enum { SIGNALS = 256, SECONDS, SPEED, FIRST, AWAIT, LOSSLESS, TABLE, EEPROM, SETTLE, BLEED, NOISE, LOW, HIGH, LOAD,
           BROWN, HANG };
    static const struct option known[] = {
        {"signals", 1, 0, SIGNALS}, {"seconds", 1, 0, SECONDS}, {"speed", 1, 0, SPEED}, {"first-scan", 1, 0, FIRST},
        {"await-host", 0, 0, AWAIT}, {"lossless", 0, 0, LOSSLESS}, {"table-id", 1, 0, TABLE}, {"eeprom", 1, 0, EEPROM},
        {"settle", 1, 0, SETTLE}, {"bleed", 1, 0, BLEED}, {"noise", 1, 0, NOISE}, {"stuck-low", 1, 0, LOW},
        {"stuck-high", 1, 0, HIGH}, {"load", 1, 0, LOAD}, {"brown-out", 1, 0, BROWN}, {"hang", 1, 0, HANG},
        {0, 0, 0, 0},
    };
    struct options options = {.first_scan = 10, .settle_us = 1.0, .bleed = 0.02};
    int one;

    while ((one = getopt_long(count, words, "", known, NULL)) != -1) {
        switch (one) {
        case SIGNALS: options.signals = optarg; break;
        case SECONDS: options.seconds = atof(optarg); break;
        case SPEED: options.speed = atof(optarg); break;
        case FIRST: options.first_scan = (unsigned)atoi(optarg); break;
        case AWAIT: options.await_host = true; break;
        case LOSSLESS: options.lossless = true; break;
        case TABLE: options.table_id = optarg; break;
        case EEPROM: options.eeprom = optarg; break;
        case SETTLE: options.settle_us = atof(optarg); break;
        case BLEED: options.bleed = atof(optarg); break;
        case NOISE: options.noise = atof(optarg); break;
        case LOW: options.stuck_low = (uint8_t)atoi(optarg); break;
        case HIGH: options.stuck_high = (uint8_t)atoi(optarg); break;
        case LOAD: options.load = load_fault(optarg); break;
        case BROWN: options.brown_out_s = atof(optarg); break;
        case HANG: options.hang_s = atof(optarg); break;
        default: fputs(help, stderr); exit(2);
        }
    }
    if (optind + 1 != count || !options.signals) {
        fputs(help, stderr);
        exit(2);
    }
    options.firmware = words[optind];
    return options;
}
