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
	int command;	   /* the status of the command; -1: it was not started */
	bool was_reached;  /* false: the process made fewer steps */
	bool had_command;  /* when the blow fell */
	bool was_over; /* the command, likewise: it was killed, for it slept as all others did */
};

/* What happens behind step `step` (from 0) of `role`. */
struct blow {
	enum role role;
	int step;
	int signal;
	pid_t victim;	/* 0: the role itself */
	bool may_sleep; /* the command does, for long: when nothing goes on, it is killed */
	bool refuses;	/* instead: the kernel refuses the role's first change of a schedule */
};

/* Run argv to its end, without its output. */
struct steps run_with_blow(char *const argv[], struct blow blow);

#endif
