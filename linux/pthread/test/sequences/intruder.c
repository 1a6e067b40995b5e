/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "intruder.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { LOW = 10, HIGH = 20, LEAST_NS = 1000, SPAN_NS = 16384 };

static bool is_thread;
static void (*work)(void);
static volatile bool is_over;
static volatile unsigned count;
static timer_t timer;
static pthread_t thread;

/* Another time each time, so that no instruction is always missed. */
static struct timespec a_while(void)
{
	static uint32_t seed = 1;

	seed = seed * 1664525U + 1013904223U;
	return (struct timespec) { .tv_nsec = LEAST_NS + (seed >> 16) % SPAN_NS };
}

static void arm(void)
{
	const struct itimerspec once = { .it_value = a_while() };

	timer_settime(timer, 0, &once, NULL);
}

static void come(void)
{
	count++;
	work();
}

static void handle(int number)
{
	(void)number;
	if (is_over)
		return;
	come();
	arm();
}

static void *come_often(void *unused)
{
	(void)unused;
	while (!is_over) {
		const struct timespec time = a_while();

		clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
		come();
	}
	return NULL;
}

static void be_urgent(int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	assert_int_equal(pthread_setschedparam(pthread_self(), SCHED_FIFO, &param), 0);
}

bool intruder_choose(const char *name)
{
	const struct sigaction action = { .sa_handler = handle };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET((size_t)sched_getcpu(), &here);
	assert_int_equal(sched_setaffinity(0, sizeof(here), &here), 0);
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
	assert_int_equal(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	is_thread = strcmp(name, "thread") == 0;
	return is_thread || strcmp(name, "handler") == 0;
}

void intruder_start(void (*comes)(void))
{
	work = comes;
	is_over = false;
	count = 0;
	if (!is_thread) {
		arm();
		return;
	}
	be_urgent(HIGH);
	assert_int_equal(pthread_create(&thread, NULL, come_often, NULL), 0);
	be_urgent(LOW);
}

void intruder_stop(void)
{
	const struct itimerspec never = { 0 };

	is_over = true;
	if (is_thread)
		assert_int_equal(pthread_join(thread, NULL), 0);
	else
		timer_settime(timer, 0, &never, NULL);
}

unsigned intruder_count(void)
{
	return count;
}
