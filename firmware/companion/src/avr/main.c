/* Built without the Arduino core; with it, companion.ino does the same. */
#ifndef ARDUINO
#include "board.h"

int main(void)
{
    board_begin();
    for (;;)
        board_step();
}
#endif
