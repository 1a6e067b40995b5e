/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_TEST_STEPS_H
#define INTERRUPTS_TEST_STEPS_H

/*
 * A wrapper whose processes are followed from one system call to the next (ptrace). The n-th step
 * of a process lies behind its n-th call that changes something: behind one that only looks, all is
 * as it was before it.
 */
#include <stdbool.h>
#include <sys/types.h>

/* In the order in which they are started. */
enum role { WRAPPER, GUARD, COMMAND, ROLES };

struct steps {
	pid_t pids[ROLES]; /* 0: not started */
	int status;	   /* of the wrapper, as from waitpid() */
	bool was_reached;  /* false: the process made fewer steps */
};

/* Run argv to its end, without its output. Behind step `n` (from 0) of `role`, `victim` is killed:
 * another process, or 0 for the role itself. */
struct steps kill_at_step(char *const argv[], enum role role, int n, pid_t victim);

#endif
