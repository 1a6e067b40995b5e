/* SPDX-License-Identifier: MIT */
#ifndef UNDERNEATH_H
#define UNDERNEATH_H

/* The request that the slow device knows. */
#define SLOW_REQUEST 0x5057u

/* Number of its EARLY_WAITS waits before the start that succeeded. */
enum { EARLY_WAITS = 3 };
extern int early_waits __attribute__((weak));

#endif
