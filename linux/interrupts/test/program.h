/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_TEST_PROGRAM_H
#define INTERRUPTS_TEST_PROGRAM_H

/* A wrapper as a user calls it, and threads that it may reserve. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <cmocka.h>

#include "../../machine/schedule.h"

enum { OUTPUT_BYTES = 8192 };

struct program {
	pid_t pid; /* also its process group */
	int output_file;
	int status;		   /* 128 + n: killed by signal n */
	char output[OUTPUT_BYTES]; /* stdout and stderr */
};

/* argv[0] is the program's path. */
void start_program(struct program *program, char *const argv[]);

/* Wait until the program has ended, and no process of its group is left. */
void await_program(struct program *program);

/* The first process that a wrapper started; 0: there is none, or it has ended. */
pid_t guard_of(pid_t wrapper);

void run_program(struct program *program, char *const argv[]);

/* The program must be refused: exit status 2, and a line with `complaint` in it. */
void expect_refusal(char *const argv[], const char *complaint);

/* Wait until the program has printed that text. */
void await_output(const struct program *program, const char *text);

/* A thread that sleeps, with this policy, SCHED_FIFO priority and nice value. `text` is its TID. */
struct sleeper {
	pid_t tid;
	char text[16];
	struct schedule schedule;
	unsigned long affinity;
};

void start_sleeper(struct sleeper *sleeper, int policy, int priority, int nice);
void end_sleeper(const struct sleeper *sleeper);

/* Has the thread the same schedule as at its start? */
bool is_as_before(const struct sleeper *sleeper);

void sleep_ms(int ms);

#endif
