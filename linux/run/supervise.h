/* SPDX-License-Identifier: MIT */
#ifndef RUN_SUPERVISE_H
#define RUN_SUPERVISE_H

/*
 * All real-time threads run in a child. Its supervisor stands above it, at
 * SCHED_FIFO 99, and sleeps: it wakes when the child ends, when its time is over,
 * and when an interruption comes. In each case no thread of the child runs any more, and the
 * supervisor is SCHED_OTHER again, for the work that takes long; the kernel ends the child
 * too if the supervisor is killed, and a thread that runs longer without a sleep than
 * the deadline allows.
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
	bool is_starved; /* killed, but without a CPU to die on: no instruction of it will run */
};

/*
 * The deadline, in CLOCK_MONOTONIC and in memory that both share. The child may
 * move it, and then calls deadline_moved().
 */
typedef _Atomic int64_t deadline_t;

void deadline_moved(void);

/* Take the signals: from here to supervise() an interruption waits, and one that comes
 * after supervise(), while the trace is written, has no effect. */
void hold_signals(void);

/*
 * Run `body` in a child, none of whose threads needs the CPU for longer than `longest_ns`
 * without a sleep. False: there is none, and it said why.
 */
__attribute__((warn_unused_result)) bool supervise(const deadline_t *deadline, int64_t longest_ns,
						   void (*body)(void *argument), void *argument,
						   struct end *end);

#endif
