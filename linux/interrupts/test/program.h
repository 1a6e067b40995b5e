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
	pid_t pid; /* and of its process group */
	int output_file;
	int status;		   /* 128 + n: killed by signal n */
	char output[OUTPUT_BYTES]; /* stdout and stderr */
};

/* argv[0] is its path. */
void start_program(struct program *program, char *const argv[]);

/* Wait for its end. No process of its group is left. */
void await_program(struct program *program);

/* The first process that a wrapper started; 0: it has none, or has ended. */
pid_t guard_of(pid_t wrapper);

void run_program(struct program *program, char *const argv[]);

/* It is to be refused: exit status 2, and one line with `complaint` in it. */
void expect_refusal(char *const argv[], const char *complaint);

/* Wait until the program has printed that. */
void await_output(const struct program *program, const char *text);

/* A thread that sleeps, SCHED_OTHER with a nice value, and of SCHED_FIFO; as text, too. */
struct sleeper {
	pid_t tid;
	char text[16];
	struct schedule schedule;
	unsigned long affinity;
};

void start_sleeper(struct sleeper *sleeper, int policy, int priority, int nice);
void end_sleeper(const struct sleeper *sleeper);

/* It is scheduled as when it was started. */
bool is_as_before(const struct sleeper *sleeper);

void sleep_ms(int ms);

#endif
