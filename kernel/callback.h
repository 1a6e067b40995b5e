/* SPDX-License-Identifier: MIT */
#ifndef PLF_CALLBACK_H
#define PLF_CALLBACK_H

#include "core.h"

/*
 * Call the callback of an alarm or message. It runs in the kernel's mode with interrupts of
 * category 2 masked, like the kernel. calls.c defines the services that it may call in `place`.
 */
static inline void plf_call_back(struct plf_core *core, unsigned callback, uint16_t place)
{
	uint16_t before = core->place;

	core->place = place;
	plf_callbacks[callback]();
	core->place = before;
}

#endif
