/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Threads that run although they did not wait. */
#include "stage.h"
#include "tests.h"

#include <dlfcn.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

/* ---- yields: giving the CPU away does not give it to the threads that the section covers ---- */

static int (*libc_sem_wait)(sem_t *);
static sem_t bare;

/* A thread of the holder's priority, which wakes up without the hook. */
static void *run_without_hook(void *unused)
{
	struct sched_param param = { .sched_priority = HOLDER };

	check(pthread_setschedparam(pthread_self(), SCHED_FIFO, &param) == 0);
	while (libc_sem_wait(&bare) != 0)
		;
	note('p');
	return unused;
}

static void yield_by(const char *name, void (*yield)(void), const char *order)
{
	pthread_t peer = start_middle(run_without_hook);

	now_testing(name);
	check(sched_yield() == 0); /* the peer sleeps */
	check(pthread_mutex_lock(&mutex) == 0);
	note('(');
	check(sem_post(&bare) == 0);
	yield();
	note(')');
	check(pthread_mutex_unlock(&mutex) == 0);
	check(pthread_join(peer, NULL) == 0);
	expect_notes(order);
}

static void yield_posix(void)
{
	check(sched_yield() == 0);
}

static void *of_libc(const char *name)
{
	void *function = dlsym(dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD), name);

	check(function != NULL);
	return function;
}

static void prepare(void)
{
	set_stage();
	libc_sem_wait = (int (*)(sem_t *))of_libc("sem_wait");
	check(sem_init(&bare, 0, 0) == 0);
}

void yields(void)
{
	prepare();
	yield_by("sched_yield", yield_posix, "()p");
	yield_by("thrd_yield", thrd_yield, "()p");
}

/* ---- without-hook: by libc's own calls, which the drop-in does not see, but the module ---- */

static bool has_module(void)
{
	const char *backend = getenv("PLAFOND_BACKEND");

	return backend != NULL && strcmp(backend, "module") == 0;
}

static void *sleep_without_hook(void *unused)
{
	while (libc_sem_wait(&bare) != 0)
		;
	note('m');
	return unused;
}

void without_hook(void)
{
	void (*libc_yield)(void);
	pthread_t thread;

	prepare();
	libc_yield = (void (*)(void))of_libc("thrd_yield");
	thread = start_middle(sleep_without_hook);
	check(pthread_mutex_lock(&mutex) == 0);
	note('(');
	check(sem_post(&bare) == 0);
	note(')');
	check(pthread_mutex_unlock(&mutex) == 0);
	check(pthread_join(thread, NULL) == 0);
	expect_notes(has_module() ? "()m" : "(m)");
	yield_by("libc's own yield", libc_yield, has_module() ? "()p" : "(p)");
}

/* ---- starts: a new thread, too, waits for the section that covers it ---- */

static void *run_at_once(void *unused)
{
	note('m');
	return unused;
}

void starts(void)
{
	pthread_t thread;

	set_stage();
	check(pthread_mutex_lock(&mutex) == 0);
	note('(');
	thread = start_middle(run_at_once);
	note(')');
	check(pthread_mutex_unlock(&mutex) == 0);
	check(pthread_join(thread, NULL) == 0);
	expect_notes("()m");
}
