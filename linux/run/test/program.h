/* SPDX-License-Identifier: MIT */
#ifndef RUN_TEST_PROGRAM_H
#define RUN_TEST_PROGRAM_H

/*
 * plafond-run as a user calls it: a plan goes in, and out come the exit status,
 * its messages, and a trace. Everything lies in a directory that ends with the test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <cmocka.h>

struct program {
	pid_t pid;	   /* and of its process group */
	int status;	   /* 128 + n: killed by signal n */
	char output[8192]; /* stdout and stderr */
	char *trace;	   /* "" without one */
};

/* Setup and teardown of a group: the directory, which is the working directory. */
int enter_directory(void **state);
int leave_directory(void **state);

/* plan.txt */
void write_plan(const char *text);

/* plan.txt from "plafond-plan 1" to the end of the text, with that protocol. */
void write_plan_for(const char *protocol, const char *text);

/* `prepare` (or NULL) runs in the process before the program does. */
void start_program(struct program *program, void (*prepare)(void), const char *first,
		   const char *second, const char *third);

/* Wait for its end; nothing of it is left. */
void await_program(struct program *program);

/* The same; `after` (or NULL) runs when it has ended, and lets what is left of it end, too. */
void await_program_then(struct program *program, void (*after)(void));

/* plafond-run plan.txt trace.json, from start to end. */
void run_program(struct program *program, void (*prepare)(void));

/* The same, which is to be refused: exit status 2, one line with that text, no trace. */
void expect_plan_refusal(void (*prepare)(void), const char *complaint);

void free_program(struct program *program);

/* Wait until its child has started so many threads besides the first, or more; the child. */
pid_t await_threads(const struct program *program, int threads);

/* An activation of that length is longer than all that its thread does before time 0. */
#define LONG_RUN    "run 10000000\n"
#define LONG_RUN_NS 10000000LL

/* Wait until that many threads of its child have ended such an activation and sleep; the child.
 * 0: the program has ended. */
pid_t await_activations(const struct program *program, int threads);

/* Wait until a thread has executed for so long. */
void await_executed(pid_t thread, long long least_ns);

#endif
