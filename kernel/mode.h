/* SPDX-License-Identifier: MIT */
#ifndef PLF_MODE_H
#define PLF_MODE_H

/*
 * Application modes: OSEK 2.2.3, Section 5. If the description has no modes, the image has only
 * OSDEFAULTAPPMODE and no code for modes.
 */
#include "os_types.h"
#include "system.h"

/* 1 + the mode passed to StartOS(); 0: not yet set. Written before any core runs a task. */
extern uint32_t plf_noted_mode;

static inline AppModeType plf_mode(void)
{
	return PLF_MODES && plf_noted_mode ? (AppModeType)(plf_noted_mode - 1) : OSDEFAULTAPPMODE;
}

/* Return whether an autostart in these modes, a bit each, happens. Without modes: not 0. */
static inline bool plf_starts_in(uint8_t modes)
{
	return PLF_MODES ? modes >> plf_mode() & 1 : modes;
}

#endif
