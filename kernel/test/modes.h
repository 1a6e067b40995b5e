/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_MODES_H
#define PLF_TEST_MODES_H

#include "os.h"

/* Notes of StartupHook and main(). */
extern AppModeType mode_of_hook, mode_of_main;

enum { INVALID = 0xee };

#endif
