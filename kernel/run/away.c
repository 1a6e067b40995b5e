/* SPDX-License-Identifier: MIT */
/*
 * By task: the time without its core since it began to run. A task that measures its steps by the
 * clock leaves this time out (spend.h). Tasks can spoil plf_away_ns, so the kernel keeps away_ns.
 */
#include "recording.h"

static uint64_t since_ns[PLF_TASKS];
static uint64_t away_ns[PLF_TASKS];

extern uint64_t plf_away_ns[PLF_TASKS]; /* of spend.h, for tasks */
uint64_t plf_away_ns[PLF_TASKS] __attribute__((section(".plf_words")));

void plf_away_begin(unsigned task, uint64_t now_ns)
{
	since_ns[task] = now_ns;
}

void plf_away_end(unsigned task, uint64_t now_ns)
{
	away_ns[task] += now_ns - since_ns[task];
	plf_away_ns[task] = away_ns[task];
}
