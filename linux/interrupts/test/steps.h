/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_TEST_STEPS_H
#define INTERRUPTS_TEST_STEPS_H

/*
 * Follow a wrapper's processes from each system call to the next (ptrace). The n-th step of a
 * process is after its n-th call that changes something. After a call that only looks, everything
 * is as before it.
 */
#include <stdbool.h>
#include <sys/types.h>

/* In the order of their start. */
enum role { WRAPPER, GUARD, COMMAND, ROLES };

struct steps {
	pid_t pids[ROLES]; /* 0: not started */
	int status;	   /* of the wrapper, as from waitpid() */
	int command;	   /* as from waitpid(); -1: it was not started */
	bool was_reached;  /* false: the process made fewer steps */
	bool had_command;  /* at the time of the blow */
	bool was_over;	   /* the command was killed before the blow, because all slept */
};

/* The blow after step `step` (from 0) of `role`. */
struct blow {
	enum role role;
	int step;
	int signal;
	pid_t victim;	/* 0: the role's process */
	bool may_sleep; /* the command sleeps for long; when nothing goes on, kill it */
	bool refuses;	/* instead, the kernel refuses the role's first change of a schedule */
};

/* Run argv to its end, without its output. */
struct steps run_with_blow(char *const argv[], struct blow blow);

#endif
