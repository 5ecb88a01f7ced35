// The firmware of the table, for an Arduino Mega 2560: open this folder in the Arduino IDE and upload.
// Everything is in src/: core (no hardware, C99) and avr (this board). What it says on the wire: ../PROTOCOL.md.

extern "C" {
#include "src/avr/board.h"
}

void setup() {
  board_begin();
}

void loop() {
  board_step();
}
