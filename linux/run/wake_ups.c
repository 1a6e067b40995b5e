/* SPDX-License-Identifier: MIT */
#include "wake_ups.h"

#include "../machine/clock.h"
#include "../machine/say.h"
#include "listener.h"
#include "locks.h"
#include "memory.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define APART_NS (1370 * NS_PER_US) /* moves between the ticks */

_Static_assert(WAKE_UPS_MAX *APART_NS > 10 * NS_PER_S, "room for the longest measurement");

/* The thread above the listener. */
struct sleeper {
	struct listener *listener;
	sem_t ready;
};

static void end_child(const char *call, int error)
{
	if (error != 0)
		_exit(fail("%s: %s", call, strerror(error)));
}

static void *wake_and_sleep(void *argument)
{
	struct sleeper *sleeper = argument;
	struct listener *listener = sleeper->listener;
	int64_t due_ns, end_ns;

	touch_stack();
	stand_on_cpu(listener, LISTENER_PRIORITY + 1);
	sem_post(&sleeper->ready);
	due_ns = now_ns();
	end_ns = due_ns + listener->duration_ns;
	for (; due_ns < end_ns; due_ns += APART_NS) {
		end_child("a sleep", pthread_locks.sleep_until(due_ns));
		listener->wake_ups[listener->wake_up_count++] =
			(struct wake_up) { .due_ns = due_ns, .ran_ns = now_ns() };
	}
	return NULL;
}

static void listen_below(struct listener *listener)
{
	struct sleeper sleeper = { .listener = listener };
	pthread_t thread;

	end_child("sem_init", sem_init(&sleeper.ready, 0, 0) == 0 ? 0 : errno);
	end_child("a thread cannot be started",
		  pthread_create(&thread, NULL, wake_and_sleep, &sleeper));
	while (sem_wait(&sleeper.ready) != 0)
		if (errno != EINTR)
			end_child("sem_wait", errno);
	stand_on_cpu(listener, LISTENER_PRIORITY);
	listen_on_cpu(listener);
	pthread_join(thread, NULL);
}

static int64_t end_of(struct gap gap)
{
	return gap.start_ns + gap.length_ns;
}

/* A wake-up during a rest of the listener lies in no gap: leave it out. */
static void print(struct listener *listener)
{
	const char *separator = "";
	size_t gap = 0;

	printf("{\"cpu\":%d,\"wake_ups_ns\":[", listener->cpu);
	for (size_t i = 0; i < listener->wake_up_count; i++) {
		struct wake_up wake_up = listener->wake_ups[i];
		int64_t begin_ns;

		while (gap < listener->gap_count && end_of(listener->gaps[gap]) < wake_up.ran_ns)
			gap++;
		if (gap == listener->gap_count)
			break;
		begin_ns = listener->gaps[gap].start_ns;
		if (begin_ns > wake_up.ran_ns)
			continue;
		if (wake_up.due_ns < begin_ns)
			begin_ns = wake_up.due_ns;
		printf("%s%" PRId64, separator, end_of(listener->gaps[gap]) - begin_ns);
		separator = ",";
	}
	puts("]}");
}

int measure_wake_ups(const char *cpu, const char *seconds)
{
	return run_listener(cpu, seconds, listen_below, print);
}
