/* SPDX-License-Identifier: MIT */
#ifndef RUN_SUPERVISE_H
#define RUN_SUPERVISE_H

/*
 * All real-time threads run in a child. Its supervisor is above it, at SCHED_FIFO 99, and sleeps.
 * It wakes up when the child ends, when the child's time is over, or when an interruption comes. In
 * each case, no thread of the child runs afterwards, and the supervisor is SCHED_OTHER again,
 * because the following work takes long. The kernel also ends the child if the supervisor is
 * killed. It ends a thread that runs longer without a sleep than the deadline allows.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum ending {
	BY_ITSELF,	 /* `status` as from waitpid() */
	BY_WATCHDOG,	 /* killed at the deadline */
	BY_INTERRUPTION, /* killed on `signal` */
	BY_BLINDNESS,	 /* killed, because its supervisor could not sleep: `error` */
};

struct end {
	enum ending ending;
	int status;
	int signal;
	int error;
	bool is_starved; /* killed, but has no CPU to die on; none of its instructions will run */
};

/*
 * The deadline, in CLOCK_MONOTONIC, in memory that both share. If the child moves it, it must call
 * deadline_moved().
 */
typedef _Atomic int64_t deadline_t;

void deadline_moved(void);

/*
 * Block the signals. From here to supervise(), an interruption waits. After supervise(), while the
 * trace is written, an interruption has no effect.
 */
void hold_signals(void);

/*
 * Run `body` in a child. None of its threads may run longer than `longest_ns` without a sleep.
 * False: there is no child; a message says why.
 */
__attribute__((warn_unused_result)) bool supervise(const deadline_t *deadline, int64_t longest_ns,
						   void (*body)(void *argument), void *argument,
						   struct end *end);

#endif
