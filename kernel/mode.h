/* SPDX-License-Identifier: MIT */
#ifndef PLF_MODE_H
#define PLF_MODE_H

/*
 * Application modes: OSEK 2.2.3, Section 5. Images of descriptions without any have one,
 * OSDEFAULTAPPMODE, and nothing of this.
 */
#include "os_types.h"
#include "system.h"

/* 1 + the mode that StartOS() was called with; 0: none yet. Written before any core runs a task. */
extern uint32_t plf_noted_mode;

static inline AppModeType plf_mode(void)
{
	return PLF_MODES && plf_noted_mode ? (AppModeType)(plf_noted_mode - 1) : OSDEFAULTAPPMODE;
}

/* Of an autostart in these modes, a bit each; without modes not 0 where there is one. */
static inline bool plf_starts_in(uint8_t modes)
{
	return PLF_MODES ? modes >> plf_mode() & 1 : modes;
}

#endif
