/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_MASK_STEPS_H
#define PLF_TEST_MASK_STEPS_H

#include "os.h"

/* A letter begins a pair of services, and its capital ends the pair. False: another letter. */
static inline bool mask_step(char letter)
{
	switch (letter) {
	case 'd':
		DisableAllInterrupts();
		return true;
	case 'D':
		EnableAllInterrupts();
		return true;
	case 'a':
		SuspendAllInterrupts();
		return true;
	case 'A':
		ResumeAllInterrupts();
		return true;
	case 'o':
		SuspendOSInterrupts();
		return true;
	case 'O':
		ResumeOSInterrupts();
		return true;
	default:
		return false;
	}
}

#endif
