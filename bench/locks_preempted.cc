/* SPDX-License-Identifier: MIT */

/* The cost of sections that are preempted, under each lock. */
#include "locks.h"
#include "preempted_rows.h"
#include "rivals.h"

namespace bench
{

void add_preempted()
{
	/* The cost of waking the arrival at all. */
	add_preempted<NoLock, PosixSemaphore>("preempted/no-lock-sem_wait/passes-by", BY_PTHREADS,
					      false);
	add_preempted<NoLock, PlafondSemaphore>("preempted/no-lock-plf_sem_wait/passes-by", ROBUST,
						false);
	add_both_preempted(PLAFOND_STRICT);
	add_both_preempted(PLAFOND);
	add_both_preempted(PLAFOND_SYSCALL);
	add_both_preempted(INHERIT);
	add_both_preempted(PROTECT);
}

} // namespace bench
