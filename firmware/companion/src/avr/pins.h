/* Where everything hangs on an Arduino Mega 2560 (ATmega2560, 16 MHz). */
#ifndef TC_PINS_H
#define TC_PINS_H

#include <avr/io.h>

/* S0..S3 of all multiplexers: pins 22 to 25. Multiplexer m answers on analog input m (A0 to A15). */
#define SELECT_PORT PORTA
#define SELECT_DDR DDRA
#define SELECT_MASK 0x0Fu

/* HX711: clock on pin 49, data on pin 48 (pulled up, so that a missing chip never seems ready), which timer 5 captures:
   the moment of each conversion is known to half a microsecond. */
#define LOAD_PORT PORTL
#define LOAD_DDR DDRL
#define LOAD_PIN PINL
#define LOAD_CLOCK (1u << PL0)
#define LOAD_DATA (1u << PL1)

/* The light on the board: pin 13. */
#define LIGHT_PORT PORTB
#define LIGHT_DDR DDRB
#define LIGHT (1u << PB7)

/* USB: pins 0 and 1. Bluetooth bridge: TX on pin 18, RX on pin 19 (its level is 3.3 V: divide TX down). */

/* What no other program on the board may touch while this one runs. */
#ifndef __AVR_ATmega2560__
#error "This program is for the ATmega2560 of an Arduino Mega 2560: choose that board."
#endif
#if F_CPU != 16000000UL
#error "This program counts on a clock of 16 MHz."
#endif

#endif
