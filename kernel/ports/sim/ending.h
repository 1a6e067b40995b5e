/* SPDX-License-Identifier: MIT */
#ifndef PLF_SIM_ENDING_H
#define PLF_SIM_ENDING_H

#include "port.h"

/* Note the address at which the task calls the kernel, or is interrupted. */
void plf_note_place(unsigned task, uintptr_t address);

/* Catch the signals that are errors of a program. */
void plf_note_signals(void);

#endif
