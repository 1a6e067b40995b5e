/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "member.h"

#include "random.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STACK_SIZE = 128 * 1024, STORM_US_MIN = 150, STORM_US_MAX = 900 };

struct crowd crowd;

/* Field 18 of stat: -1 - priority of a real-time thread. The name before it may have blanks. */
static int kernel_priority(void)
{
	int stat = open("/proc/thread-self/stat", O_RDONLY | O_CLOEXEC);
	char text[512];
	ssize_t length = stat < 0 ? -1 : read(stat, text, sizeof(text) - 1);
	const char *field;
	int value;

	if (stat >= 0)
		close(stat);
	if (length <= 0)
		return -1;
	text[length] = '\0';
	field = strrchr(text, ')');
	for (int i = 0; field != NULL && i < 16; i++)
		field = strchr(field + 1, ' ');
	if (field == NULL || sscanf(field, "%d", &value) != 1)
		return -1;
	return value < 0 ? -1 - value : 0;
}

/* Called outside all sections. The kernel call may wait for others, so the oracle must see a
 * sleep. */
static void check_priority(struct member *self)
{
	note_asleep(&self->notes);
	if (kernel_priority() != self->notes.priority)
		found(FOUND_PRIORITY, "the kernel's priority is not back at base",
		      (int)self->notes.index);
}

static void on_storm(int signal)
{
	(void)signal;
	if (__atomic_fetch_add(&report->signals, 1, __ATOMIC_RELAXED) % 8 == 0)
		post_job();
}

/* Start a timer that interrupts this thread at any place. */
static bool storm_begin(struct member *self, timer_t *storm)
{
	struct sigaction action = { .sa_handler = on_storm };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1 };
	unsigned us = random_between(&self->random, STORM_US_MIN, STORM_US_MAX);
	struct timespec interval = { .tv_nsec = us * 1000 };
	struct itimerspec each = { .it_interval = interval, .it_value = interval };

	if ((crowd.faults & FAULT_SIGNAL) == 0)
		return false;
	event._sigev_un._tid = gettid();
	sigaction(SIGUSR1, &action, NULL);
	if (timer_create(CLOCK_MONOTONIC, &event, storm) != 0) {
		found(FOUND_REFUSED, "timer_create", (int)self->notes.index);
		return false;
	}
	timer_settime(*storm, 0, &each, NULL);
	return true;
}

static void be_born(struct member *self)
{
	int error = plf_attach(self->notes.priority, crowd.cpu, crowd.attach_flags);

	if (error == 0)
		error = plf_wake_hook(); /* a thread gets its priority as if it woke up */
	if (error != 0)
		found(FOUND_REFUSED, "attach", error);
}

static void retire(struct member *self)
{
	struct plf_stats stats;

	check_priority(self);
	if (plf_get_stats(&stats) == 0)
		self->gate_waits += stats.gate_waits;
	if (plf_detach() != 0)
		found(FOUND_LEFTOVER, "a section is open at the end", (int)self->notes.index);
}

static void *live(void *argument)
{
	struct member *self = argument;
	timer_t storm;
	bool in_storm;
	int unused;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &unused);
	be_born(self);
	in_storm = storm_begin(self, &storm);
	while (wait_for_release(self)) {
		run_activity(self);
		report->progress[self->notes.index]++;
		if (one_in(&self->random, 32))
			check_priority(self);
	}
	if (in_storm)
		timer_delete(storm);
	retire(self);
	return NULL;
}

int member_start(struct member *self)
{
	pthread_attr_t attr;
	int error = pthread_attr_init(&attr);

	if (error != 0)
		return error;
	self->lives++;
	self->depth = 0;
	self->died = false;
	self->next_ns = plf_now();
	self->notes.around = 0;
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	error = pthread_create(&self->thread, &attr, live, self);
	pthread_attr_destroy(&attr);
	return error;
}

bool member_join(struct member *self)
{
	pthread_join(self->thread, NULL);
	return self->died;
}
