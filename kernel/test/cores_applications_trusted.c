/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "kernel/cores.h"
#include "kernel/service.h"

/* The rest of an activation by a core that was allowed to activate LOW before WORK ended. */
ISR(SENDS)
{
	CHECK(plf_take_room(&plf_tasks[LOW]));
	plf_send(&plf_tasks[LOW]);
}

/* The same for a core that was allowed to set EV. */
ISR(WAKES)
{
	EXPECT(plf_set_events(plf_this_core(), &plf_tasks[WAITS], EV), E_OK);
}

ISR(ENDS_WORK)
{
	EXPECT(TerminateApplication(WORK, RESTART), E_OK);
}
