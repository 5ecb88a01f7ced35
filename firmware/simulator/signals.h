/* What the emulated board measures: a file that Python writes (drivers of tests, recordings) and may go on writing.

   header, then `frames` frames, then `loads` conversions; all little-endian. Frame k is what the k-th scan of the play
   finds, the last one stays. With one conversion the load cell shows it all the time, 80 times a second. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdint.h>

#define SIGNALS_MAGIC 0x31534354u /* "TCS1" */
#define CHANNELS 256
#define ADDRESSES 16

struct header {
    uint32_t magic, frames, loads, unused;
};

struct frame {
    uint16_t lost;              /* the link loses the frame of this scan */
    uint16_t counts[CHANNELS];  /* multiplexer by multiplexer, address by address */
};

struct conversion {
    int64_t t_us;   /* after the start of the scan of frame 0 */
    int32_t value;
    uint32_t unused;
};

struct signals {
    const volatile struct header *header;
    const volatile struct frame *frames;
    const volatile struct conversion *loads;
};

/* Maps the file; ends the program with a sentence where it cannot be used. */
struct signals signals_open(const char *path);

#endif
