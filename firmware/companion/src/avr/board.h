/* The whole program: board_begin once, board_step for ever. */
#ifndef TC_BOARD_H
#define TC_BOARD_H

void board_begin(void);
void board_step(void);

#endif
