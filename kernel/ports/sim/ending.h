/* SPDX-License-Identifier: MIT */
#ifndef PLF_SIM_ENDING_H
#define PLF_SIM_ENDING_H

#include "port.h"

/* Where the task calls, or is interrupted. */
void plf_note_place(unsigned task, uintptr_t address);

/* Those that are errors of a program. */
void plf_note_signals(void);

#endif
