/* SPDX-License-Identifier: MIT */
/*
 * How long each task has been without its core, since it began to run: what a task that reckons by
 * the clock what it spends leaves out (spend.h). Tasks read a copy; the kernel believes
 * its own.
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
