/* SPDX-License-Identifier: MIT */
#ifndef PLF_CALLBACK_H
#define PLF_CALLBACK_H

#include "core.h"

/*
 * The callback of an alarm, or of a message, in the kernel's mode, with interrupts of category 2
 * masked, as in all of the kernel. See calls.c for what it may call in that place.
 */
static inline void plf_call_back(struct plf_core *core, unsigned callback, uint16_t place)
{
	uint16_t before = core->place;

	core->place = place;
	plf_callbacks[callback]();
	core->place = before;
}

#endif
