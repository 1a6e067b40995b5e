/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "made_time.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NS_PER_S = 1000000000, SLEEPERS = 32, ARGUMENTS = 6 };

/* A thread that sleeps on a word until a time of the made clock. */
struct sleeper {
	uint64_t until_ns; /* 0: the entry is free */
	uint32_t *word;
	uint32_t is_over;
};

static struct sleeper sleepers[SLEEPERS];
static uint64_t now_ns = NS_PER_S;
static int counted, charged;
static uint64_t count, charge_ns;
static int refused = -1, refusal;

/* ---- The kernel's own ------------------------------------------------------ */

static long call(long number, const long *a)
{
	static long (*next)(long, ...);

	if (next == NULL)
		*(void **)&next = dlsym(RTLD_NEXT, "syscall");
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void wake(uint32_t *word)
{
	call(SYS_futex, (long[ARGUMENTS]) { (long)word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT_MAX });
}

/* ---- Sleep ----------------------------------------------------------------- */

static uint64_t ns_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
}

static struct sleeper *new_sleeper(uint64_t until_ns)
{
	for (size_t i = 0; i < SLEEPERS; i++) {
		uint64_t none = 0;

		if (__atomic_compare_exchange_n(&sleepers[i].until_ns, &none, until_ns, false,
						__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			return &sleepers[i];
	}
	abort();
}

/* The kernel sleeps without a deadline, because go_to() wakes the sleeper. */
static long sleep_on(long *a)
{
	uint64_t until_ns = ns_of((const struct timespec *)a[3]);
	struct sleeper *s;
	bool is_over;
	long result;

	a[3] = 0;
	if (until_ns <= now_ns) {
		errno = ETIMEDOUT;
		return -1;
	}
	s = new_sleeper(until_ns);
	s->word = (uint32_t *)a[0];
	result = call(SYS_futex, a);
	is_over = s->is_over != 0;
	*s = (struct sleeper) { 0 };
	if (!is_over)
		return result;
	errno = ETIMEDOUT;
	return -1;
}

static struct sleeper *first_until(uint64_t time_ns)
{
	struct sleeper *first = NULL;

	for (size_t i = 0; i < SLEEPERS; i++) {
		struct sleeper *s = &sleepers[i];

		if (s->until_ns == 0 || s->word == NULL || s->is_over != 0 || s->until_ns > time_ns)
			continue;
		if (first == NULL || s->until_ns < first->until_ns)
			first = s;
	}
	return first;
}

void leap_to(uint64_t time_ns)
{
	now_ns = time_ns > now_ns ? time_ns : now_ns;
}

void go_to(uint64_t time_ns)
{
	struct sleeper *s;

	while ((s = first_until(time_ns)) != NULL) {
		uint32_t *word = s->word;

		leap_to(s->until_ns);
		s->is_over = 1;
		wake(word);
	}
	leap_to(time_ns);
}

bool is_awaited(uint64_t time_ns)
{
	for (size_t i = 0; i < SLEEPERS; i++)
		if (__atomic_load_n(&sleepers[i].until_ns, __ATOMIC_SEQ_CST) == time_ns)
			return true;
	return false;
}

void count_readings(int tid)
{
	counted = tid;
	__atomic_store_n(&count, 0, __ATOMIC_SEQ_CST);
}

uint64_t readings(void)
{
	return __atomic_load_n(&count, __ATOMIC_SEQ_CST);
}

void refuse_futex(int operation, int error)
{
	refused = operation;
	refusal = error;
}

void charge_reading(int tid, uint64_t ns)
{
	charged = tid;
	charge_ns = ns;
}

/* ---- The calls of the library ---------------------------------------------- */

int clock_gettime(clockid_t clock, struct timespec *time)
{
	uint64_t ns = __atomic_load_n(&now_ns, __ATOMIC_SEQ_CST);

	if (clock != CLOCK_MONOTONIC)
		return (int)call(SYS_clock_gettime, (long[ARGUMENTS]) { clock, (long)time });
	if (counted != 0 && gettid() == counted)
		__atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
	if (charge_ns != 0 && gettid() == charged)
		leap_to(ns + charge_ns);
	*time = (struct timespec) { .tv_sec = (time_t)(ns / NS_PER_S),
				    .tv_nsec = (long)(ns % NS_PER_S) };
	return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left)
{
	struct sleeper *s;

	(void)left;
	if (clock != CLOCK_MONOTONIC || flags != TIMER_ABSTIME)
		abort();
	pthread_testcancel();
	if (ns_of(until) <= now_ns)
		return 0;
	s = new_sleeper(ns_of(until));
	s->word = &s->is_over;
	while (__atomic_load_n(&s->is_over, __ATOMIC_SEQ_CST) == 0)
		call(SYS_futex,
		     (long[ARGUMENTS]) { (long)&s->is_over, FUTEX_WAIT | FUTEX_PRIVATE_FLAG });
	*s = (struct sleeper) { 0 };
	return 0;
}

static long call_futex(long *a)
{
	int operation = (int)a[1] & FUTEX_CMD_MASK;

	if (operation == refused) {
		refused = -1;
		errno = refusal;
		return -1;
	}
	if (a[3] != 0 && operation == FUTEX_WAIT_BITSET)
		return sleep_on(a);
	return call(SYS_futex, a);
}

long syscall(long number, ...)
{
	long a[ARGUMENTS];
	va_list arguments;

	va_start(arguments, number);
	for (size_t i = 0; i < ARGUMENTS; i++)
		a[i] = va_arg(arguments, long);
	va_end(arguments);
	return number == SYS_futex ? call_futex(a) : call(number, a);
}
