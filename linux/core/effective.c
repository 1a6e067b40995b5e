/* SPDX-License-Identifier: MIT */
#include "effective.h"

#include <sched.h>

int plf_set_effective(struct plf_slot *slot, int priority)
{
	struct sched_param param = { .sched_priority = priority };
	int policy = (priority > 0 ? SCHED_FIFO : SCHED_OTHER) | slot->policy_flags;
	int saved = errno;
	int error = 0;

	if (priority == slot->effective)
		return 0;
	if (sched_setscheduler(0, policy, &param) != 0)
		error = errno;
	else
		slot->effective = priority;
	errno = saved;
	return error;
}
