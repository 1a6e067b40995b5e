/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "differences.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
	RESULT, /* an error number, or 0 */
	PRIORITY,
	ANSWER, /* yes or no */
};

/* Sentences of the standard that decide: their place and their wording. */
enum decision {
	OWNER_RUNS_AT_CEILING,
	POLICY_CHOOSES_OWNER,
	POLICY_CHOOSES_WAITER,
	SETS_POLICY,
	SETS_PRIORITY,
	UNLOCKED_IS_ZERO,
	CHILD_IS_A_REPLICA,
	DECISIONS,
};

static const struct {
	const char *page;
	const char *words;
} decisions[DECISIONS] = {
	[OWNER_RUNS_AT_CEILING] = { "pthread_mutexattr_getprotocol",
				    "When a thread owns one or more non-robust mutexes initialized "
				    "with the PTHREAD_PRIO_PROTECT protocol, it shall execute at "
				    "the higher of its priority or the highest of the priority "
				    "ceilings of all the non-robust mutexes owned by this thread "
				    "and initialized with this attribute, regardless of whether "
				    "other threads are blocked on any of these non-robust mutexes "
				    "or not." },
	[POLICY_CHOOSES_OWNER] = { "pthread_mutex_unlock",
				   "If there are threads blocked on the mutex object referenced by "
				   "mutex when pthread_mutex_unlock() is called, resulting in the "
				   "mutex becoming available, the scheduling policy shall "
				   "determine which thread shall acquire the mutex." },
	[POLICY_CHOOSES_WAITER] = { "pthread_cond_signal",
				    "If more than one thread is blocked on a condition variable, "
				    "the scheduling policy shall determine the order in which "
				    "threads are unblocked." },
	[SETS_POLICY] = { "pthread_setschedparam",
			  "The pthread_setschedparam() function shall set the scheduling policy "
			  "and associated scheduling parameters for the thread whose thread ID is "
			  "given by thread to the policy and associated parameters provided in "
			  "policy and param, respectively." },
	[SETS_PRIORITY] = { "pthread_setschedprio",
			    "The pthread_setschedprio() function shall set the scheduling "
			    "priority for the thread whose thread ID is given by thread to the "
			    "value given by prio." },
	[UNLOCKED_IS_ZERO] = { "pthread_mutex_unlock",
			       "If successful, the pthread_mutex_lock() and "
			       "pthread_mutex_unlock() functions shall return zero; otherwise, an "
			       "error number shall be returned to indicate the error." },
	[CHILD_IS_A_REPLICA] = { "fork",
				 "If a multi-threaded process calls fork(), the new process shall "
				 "contain a replica of the calling thread and its entire address "
				 "space, possibly including the states of mutexes and other "
				 "resources." },
};

static const struct {
	const char *what;
	enum kind kind;
	int glibc, plafond;
	enum decision decision;
} table[DIFFERENCES] = {
	[AFTER_TIMEOUT] = { "priority of a thread of 10 after a lock, of ceiling 40, that timed "
			    "out",
			    PRIORITY, 40, 10, OWNER_RUNS_AT_CEILING },
	[AFTER_TIMEOUT_INSIDE] = { "the same within a section of ceiling 25", PRIORITY, 40, 25,
				   OWNER_RUNS_AT_CEILING },
	[WAITERS_BY_PRIORITY] = { "an unlock serves the most urgent waiter, not the first", ANSWER,
				  false, true, POLICY_CHOOSES_OWNER },
	[SIGNAL_TO_LATER_WAITER] = { "a signal serves the most urgent waiter, also if it came "
				     "after an earlier signal",
				     ANSWER, false, true, POLICY_CHOOSES_WAITER },
	[KERNEL_CALLS_KEEP_CEILING] = { "sched_setscheduler and sched_setparam in a section leave "
					"its ceiling and set the base",
					ANSWER, false, true, OWNER_RUNS_AT_CEILING },
	[SCHED_OTHER_INSIDE] = { "pthread_setschedparam to SCHED_OTHER in a section", RESULT,
				 EINVAL, 0, SETS_POLICY },
	[PRIORITY_0_INSIDE] = { "pthread_setschedprio to 0 in a section", RESULT, 0, EINVAL,
				SETS_PRIORITY },
	[UNLOCK_AFTER_PRIORITY_0] = { "the unlock after it", RESULT, EINVAL, 0, UNLOCKED_IS_ZERO },
	[CHILD_UNLOCKS_AS_OWNER] = { "unlock, in the child of fork, of an errorcheck or recursive "
				     "mutex that its thread held",
				     RESULT, EPERM, 0, CHILD_IS_A_REPLICA },
	[OTHER_LOCKS_AGAIN] = { "second lock by a SCHED_OTHER thread; the first is EINVAL on both "
				"sides",
				RESULT, 0, EINVAL, OWNER_RUNS_AT_CEILING },
	[DEADLINE_LOCKS_AGAIN] = { "second lock by a SCHED_DEADLINE thread, likewise", RESULT, 0,
				   EINVAL, OWNER_RUNS_AT_CEILING },
	[FIFO_AFTER_REFUSED_LOCK] = { "priority of a thread that was refused so, of ceiling 40, "
				      "and "
				      "then set to SCHED_FIFO 20",
				      PRIORITY, 40, 20, OWNER_RUNS_AT_CEILING },
	[UNPRIVILEGED_LOCKS_AGAIN] = { "second lock by a thread that may not raise its priority to "
				       "the ceiling; the first is EPERM on both sides",
				       RESULT, 0, EPERM, OWNER_RUNS_AT_CEILING },
};

bool on_plafond(void)
{
	const char *side = getenv("SEMANTICS");

	if (side != NULL && strcmp(side, "plafond") == 0)
		return true;
	if (side != NULL && strcmp(side, "glibc") == 0)
		return false;
	fprintf(stderr, "SEMANTICS must be glibc or plafond in the environment\n");
	exit(2);
}

int expected(enum difference difference)
{
	return on_plafond() ? table[difference].plafond : table[difference].glibc;
}

static void print_value(enum kind kind, int value)
{
	if (kind == ANSWER)
		printf(" %s |", value ? "yes" : "no");
	else if (kind == RESULT && value != 0)
		printf(" `%s` |", strerrorname_np(value));
	else
		printf(" %d |", value);
}

void print_differences(void)
{
	printf("| what | glibc 2.36 | drop-in | POSIX.1-2017 |\n|---|---|---|---|\n");
	for (int i = 0; i < DIFFERENCES; i++) {
		printf("| %s |", table[i].what);
		print_value(table[i].kind, table[i].glibc);
		print_value(table[i].kind, table[i].plafond);
		printf(" (%d) |\n", table[i].decision + 1);
	}
	printf("\n");
	for (int i = 0; i < DECISIONS; i++)
		printf("%d. `%s`: \"%s\"\n", i + 1, decisions[i].page, decisions[i].words);
}
