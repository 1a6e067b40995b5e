/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * POSIX lets a signal handler make many of the calls (read, write, poll, sleep, waitpid, ...). A
 * signal may come anywhere, also between any two instructions of lock and unlock, and while the
 * thread waits at a gate.
 */
#include "stage.h"
#include "tests.h"

#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

enum { SIGNALS = 3000, UNTOUCHED = 4711 };

static volatile sig_atomic_t signals;
static volatile unsigned long first, second; /* guarded by the mutex: always equal */
static volatile bool over;
static unsigned long other_turns;
static sem_t rounds;

/* The handler also wakes the competitor, which the section covers if the signal came inside. */
static void wait_a_little(int number)
{
	const struct timespec moment = { .tv_nsec = 1 };
	int saved = errno;

	(void)number;
	check(sem_post(&rounds) == 0);
	check(poll(NULL, 0, 0) == 0);
	check(nanosleep(&moment, NULL) == 0 || errno == EINTR);
	check(read(-1, NULL, 0) == -1 && errno == EBADF);
	errno = saved;
	signals++;
}

static void count_in_section(void)
{
	check(pthread_mutex_lock(&mutex) == 0);
	check(first == second);
	first++;
	second++;
	check(pthread_mutex_unlock(&mutex) == 0);
}

static void *compete(void *unused)
{
	for (; !over; other_turns++) {
		while (sem_wait(&rounds) != 0)
			;
		count_in_section();
	}
	return unused;
}

static timer_t make_timer(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
	timer_t timer;

	check(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	return timer;
}

/* A signal comes soon, each time a little later, so it hits the next sections anywhere. */
static void signal_soon(timer_t timer)
{
	struct itimerspec soon = { .it_value.tv_nsec = 1000 + signals % 500 * 100 };

	check(timer_settime(timer, 0, &soon, NULL) == 0);
}

void handlers(void)
{
	struct sigaction action = { .sa_handler = wait_a_little };
	timer_t timer = make_timer();
	unsigned long turns = 0;
	pthread_t competitor;

	set_stage();
	check(sem_init(&rounds, 0, 0) == 0);
	competitor = start_middle(compete);
	check(sigaction(SIGALRM, &action, NULL) == 0);
	while (signals < SIGNALS) {
		int before = signals;

		signal_soon(timer);
		for (; signals == before; turns++) {
			errno = UNTOUCHED;
			count_in_section();
			check(errno == UNTOUCHED);
		}
	}
	over = true;
	check(sem_post(&rounds) == 0);
	check(pthread_join(competitor, NULL) == 0);
	check(first == second && first == turns + other_turns);
	check(kernel_priority() == HOLDER);
	check(timer_delete(timer) == 0);
}
