/* For the few files whose loops run over every byte of every frame: speed before size, whatever the build says (the
   Arduino IDE says size). */
#ifndef TC_FAST_H
#define TC_FAST_H

#ifdef __AVR__
#pragma GCC optimize("O2", "unroll-loops")
#endif

#endif
