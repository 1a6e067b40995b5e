/* SPDX-License-Identifier: MIT */
#include "wait.h"

#include "commit.h"
#include "frames.h"
#include "settle.h"

#include <errno.h>

void plf_before_wait_inside(void)
{
	int saved = errno;

	if (plf_me.busy == 0)
		plf_commit(PLF_BLOCKING_CALL);
	errno = saved;
}

void plf_look_up(void)
{
	int saved = errno;

	if (plf_me.busy != 0)
		return;
	plf_me.busy++;
	if (!__atomic_load_n(&plf_me.settled, __ATOMIC_RELAXED))
		plf_settle();
	if (plf_me.place != NULL && plf_me.inside == 0 && !plf_wait_for_cover())
		plf_unsettle(&plf_me);
	plf_me.busy--;
	errno = saved;
}
