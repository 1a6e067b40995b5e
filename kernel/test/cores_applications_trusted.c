/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "kernel/cores.h"

/* As a core does that was allowed to activate LOW before WORK ended: the rest of the activation. */
ISR(SENDS)
{
	CHECK(plf_take_room(&plf_tasks[LOW]));
	plf_send(&plf_tasks[LOW]);
}
