/* The command line of the simulator. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum load_fault { LOAD_FINE, LOAD_MISSING, LOAD_STRETCHED, LOAD_RANDOM, LOAD_MISSED };

struct options {
    const char *firmware, *signals, *eeprom;
    const char *table_id;   /* put into the EEPROM before the start, NULL: as it is */
    double seconds;         /* of virtual time to run, after the host came; 0: until the signals or the host end */
    double speed;           /* virtual seconds in a real one; 0: as fast as it goes */
    unsigned first_scan;    /* the scan since the start that measures frame 0 */
    bool await_host;        /* virtual time stands still until a byte comes from the host */
    bool lossless;          /* wait for a slow host instead of losing bytes */
    double settle_us;       /* time constant of sensor, multiplexer and filter */
    double bleed;           /* share of the sample before that stays in the first one after a change of the input */
    double noise;           /* counts rms */
    uint8_t stuck_low, stuck_high; /* select lines */
    enum load_fault load;
    double brown_out_s, hang_s; /* virtual time of a fault; 0: none */
};

struct options options_read(int count, char **words);

#endif
