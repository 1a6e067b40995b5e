/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Tests that run for each call. */
#include "call.h"
#include "stage.h"
#include "tests.h"

#include <errno.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { UNTOUCHED = 4711 };

pthread_t sleeper;
const char *only_call;
static const struct call *current;

static void each_call(void (*test)(void))
{
	for (const struct call *const *call = __start_calls; call < __stop_calls; call++) {
		current = *call;
		if (only_call != NULL && strcmp(only_call, current->name) != 0)
			continue;
		now_testing(current->name);
		world_does(current->setting->make);
		test();
		world_does(current->setting->clear);
	}
}

static void make_call(char over)
{
	long result;
	int error;

	errno = UNTOUCHED;
	result = current->make();
	error = errno;
	note(over);
	check(result == current->result);
	check(error == (current->error == 0 ? UNTOUCHED : current->error));
}

/* ---- covered: a thread that wakes up while a section covers it waits for its end ---- */

static void *sleep_in_call(void *unused)
{
	make_call('m');
	return unused;
}

/* The only call without the hook, which would slow down every lock that need not wait. */
static bool has_hook(void)
{
	return strcmp(current->name, "pthread_mutex_lock") != 0;
}

/* The kernel does not know the section, so only the hook keeps the sleeper out. */
static void wake_inside_section(void)
{
	sleeper = start_middle(sleep_in_call);
	check(pthread_mutex_lock(&mutex) == 0);
	note('(');
	check(kernel_priority() == HOLDER);
	world_does(current->setting->wake);
	check(kernel_priority() == (has_hook() ? MIDDLE : HOLDER)); /* lent to us at the gate */
	note(')');
	check(pthread_mutex_unlock(&mutex) == 0);
	check(pthread_join(sleeper, NULL) == 0);
	expect_notes(has_hook() ? "()m" : "(m)");
}

void covered(void)
{
	set_stage();
	each_call(wake_inside_section);
}

/* ---- holder: a sleeper inside a section does not delay the threads that wake it ---- */

static sem_t holder_sleeps;

static void *wake_holder(void *unused)
{
	while (sem_wait(&holder_sleeps) != 0)
		;
	note('m');
	check(pthread_mutex_trylock(&mutex) == EBUSY);
	world_does(current->setting->wake);
	note('M');
	return unused;
}

/* After the call the holder is at the ceiling, so no other thread runs before it leaves. */
static void sleep_inside_section(void)
{
	pthread_t waker = start_middle(wake_holder);

	check(pthread_mutex_lock(&mutex) == 0);
	note('(');
	check(sem_post(&holder_sleeps) == 0);
	make_call('h');
	check(kernel_priority() == CEILING);
	note(')');
	check(pthread_mutex_unlock(&mutex) == 0);
	check(kernel_priority() == HOLDER);
	check(pthread_join(waker, NULL) == 0);
	expect_notes("(mh)M");
}

void holder(void)
{
	set_stage();
	sleeper = pthread_self();
	check(sem_init(&holder_sleeps, 0, 0) == 0);
	each_call(sleep_inside_section);
}

/* ---- cancelled: the cleanup handlers of a cancelled thread wait for the section too ---- */

static void clean_up(void *unused)
{
	(void)unused;
	note('c');
}

static void *sleep_until_cancelled(void *unused)
{
	pthread_cleanup_push(clean_up, NULL);
	current->make();
	note('m');
	pthread_cleanup_pop(0);
	return unused;
}

static void cancel_inside_section(void)
{
	void *end;

	sleeper = start_middle(sleep_until_cancelled);
	check(pthread_mutex_lock(&mutex) == 0);
	note('(');
	check(pthread_cancel(sleeper) == 0);
	note(')');
	check(pthread_mutex_unlock(&mutex) == 0);
	world_does(current->setting->wake); /* unless it was cancelled in the call */
	check(pthread_join(sleeper, &end) == 0);
	check(end == PTHREAD_CANCELED || current->point != POINT);
	expect_notes(end == PTHREAD_CANCELED ? "()c" : "()m");
}

void cancelled(void)
{
	set_stage();
	each_call(cancel_inside_section);
}

void list_calls(void)
{
	for (const struct call *const *call = __start_calls; call < __stop_calls; call++)
		puts((*call)->name);
	puts("sched_yield\nthrd_yield"); /* see yields() */
}
