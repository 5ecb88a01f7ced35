/* The multiplexers' channels: made by firmware/generate.py from hardware/geometry.toml; do not edit. */
#ifndef TC_CHANNELS_H
#define TC_CHANNELS_H

#define TC_MULTIPLEXERS 16u /* one on each ADC input */
#define TC_ADDRESSES 16u /* the last one of each is ground */
#define TC_CHANNELS 256u
#define TC_SENSORS 220u
#define TC_SPARES 36u
#define TC_PERIOD_US 10000u /* from scan to scan */
/* sensors on each multiplexer, from address 0 on; the addresses after them are spares */
#define TC_SENSORS_ON { 14, 14, 14, 13, 14, 14, 14, 13, 14, 14, 14, 13, 14, 14, 14, 13 }

#endif
