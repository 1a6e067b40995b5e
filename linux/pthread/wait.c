/* SPDX-License-Identifier: MIT */
#include "wait.h"

#include "commit.h"
#include "frames.h"
#include "kernel_calls.h"
#include "settle.h"

#include <errno.h>

/*
 * A signal handler may interrupt the blocking calls around which these functions stand, and may
 * jump. No handler must run in the middle of a change, so signals are blocked while the library is
 * busy.
 */
void plf_before_wait_inside(void)
{
	int saved = errno;

	uint64_t signals;

	if (plf_me.busy != 0)
		return;
	signals = plf_kernel_block_signals();
	plf_commit(PLF_BLOCKING_CALL);
	plf_kernel_restore_signals(signals);
	errno = saved;
}

/* A child of vfork() has its parent's words, but is another thread, so it waits for no section. */
static bool is_child(bool settled)
{
	if (settled && !plf_me.lent)
		return false;
	plf_me.lent = !plf_is_self();
	return plf_me.lent;
}

static void settle(void)
{
	uint64_t signals = plf_kernel_block_signals();

	plf_me.busy++;
	plf_settle();
	plf_me.busy--;
	plf_kernel_restore_signals(signals);
}

void plf_look_up(void)
{
	bool settled = __atomic_load_n(&plf_me.settled, __ATOMIC_RELAXED);
	int saved = errno;

	if (plf_me.busy != 0 || is_child(settled))
		return;
	if (!settled)
		settle();
	if (plf_me.place != NULL && plf_me.inside == 0 && !plf_wait_for_cover())
		plf_unsettle(&plf_me);
	errno = saved;
}
