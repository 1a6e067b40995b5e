/* SPDX-License-Identifier: MIT */
#ifndef RUN_TEST_PROGRAM_H
#define RUN_TEST_PROGRAM_H

/*
 * plafond-run as a user calls it: the input is a plan; the results are the exit status, messages,
 * and a trace. All files are in a directory that the test removes at its end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <cmocka.h>

struct program {
	pid_t pid;	   /* also its process group */
	int status;	   /* 128 + n: killed by signal n */
	char output[8192]; /* stdout and stderr */
	char *trace;	   /* "" if there is none */
};

/* Setup and teardown of a group: the directory, which becomes the working directory. */
int enter_directory(void **state);
int leave_directory(void **state);

/* Write plan.txt. */
void write_plan(const char *text);

/* Write plan.txt: "plafond-plan 1", that protocol, and the text. */
void write_plan_for(const char *protocol, const char *text);

/* `prepare` (or NULL) runs in the process before the program. */
void start_program(struct program *program, void (*prepare)(void), const char *first,
		   const char *second, const char *third);

/* Wait until the program and all its processes have ended. */
void await_program(struct program *program);

/*
 * The same. `after` (or NULL) runs when the program has ended, and must end processes that it left.
 */
void await_program_then(struct program *program, void (*after)(void));

/* Run plafond-run plan.txt trace.json to its end. */
void run_program(struct program *program, void (*prepare)(void));

/* The same, but the plan must be refused: exit status 2, a line with that text, and no trace. */
void expect_plan_refusal(void (*prepare)(void), const char *complaint);

void free_program(struct program *program);

/*
 * Wait until its child has started at least that many threads besides the first. Returns the child.
 */
pid_t await_threads(const struct program *program, int threads);

/* An activation of that length takes longer than everything that its thread does before time 0. */
#define LONG_RUN    "run 10000000\n"
#define LONG_RUN_NS 10000000LL

/*
 * Wait until that many threads of its child have ended such an activation and sleep. Returns the
 * child, or 0 if the program has ended.
 */
pid_t await_activations(const struct program *program, int threads);

/* Wait until a thread has executed for at least that long. */
void await_executed(pid_t thread, long long least_ns);

#endif
