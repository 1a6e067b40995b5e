/* SPDX-License-Identifier: MIT */
/* Another process, which knows nothing of the drop-in. */
#define _GNU_SOURCE
#include "module.h"
#include "part.h"
#include "tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct shared {
	sem_t go;
	_Atomic bool ready, over, inside;
	_Atomic int turns, broken_in;
	_Atomic size_t length;
	char notes[16];
} * shared;

static int share_memory(void)
{
	int fd = memfd_create("shared", 0);

	assert_true(fd >= 0);
	assert_ok(ftruncate(fd, sizeof(*shared)));
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(shared != MAP_FAILED);
	assert_ok(sem_init(&shared->go, 1, 0));
	return fd;
}

static void note_shared(char what)
{
	shared->notes[shared->length++ % (sizeof(shared->notes) - 1)] = what;
}

static pid_t start_stranger(const char *part, int priority)
{
	char number[16], text[16];
	char *arguments[] = { (char *)"with_module", (char *)part, number, text, NULL };
	int fd = share_memory();
	pid_t child;

	snprintf(number, sizeof(number), "%d", priority);
	snprintf(text, sizeof(text), "%d", fd);
	child = start_part(arguments, "LD_PRELOAD", NULL);
	close(fd);
	while (!shared->ready)
		sleep_ms(1);
	sleep_ms(2); /* until it sleeps, too */
	return child;
}

static void be_stranger(char **argv)
{
	struct sched_param param = { .sched_priority = atoi(argv[2]) };

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(argv[3]), 0);
	if (shared == MAP_FAILED || sched_setscheduler(0, SCHED_FIFO, &param) != 0 ||
	    getenv("LD_PRELOAD") != NULL)
		exit(1);
	shared->ready = true;
}

int part_be_woken(char **argv)
{
	be_stranger(argv);
	while (sem_wait(&shared->go) != 0)
		;
	note_shared('s');
	return 0;
}

static void wake_in_section(int priority, const char *order)
{
	pid_t stranger = start_stranger("be-woken", priority);

	assert_ok(pthread_mutex_lock(&mutex));
	note_shared('(');
	assert_ok(sem_post(&shared->go));
	note_shared(')');
	assert_ok(pthread_mutex_unlock(&mutex));
	note_shared('.');
	assert_int_equal(status_of(stranger), 0);
	assert_string_equal(shared->notes, order);
	assert_ok(munmap(shared, sizeof(*shared)));
	expect_outside(LOW);
}

void a_stranger_waits_for_the_end(void **state)
{
	UNUSED(state);
	wake_in_section(20, "()s.");
	wake_in_section(CEILING, "()s.");
	wake_in_section(CEILING + 1, "(s).");
	wake_in_section(LOW - 1, "().s");
}

/* The clock wakes the stranger, without a call by the owner. */
int part_look_in(char **argv)
{
	const struct timespec moment = { .tv_nsec = 100000 };

	be_stranger(argv);
	for (; !shared->over; shared->turns++) {
		clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL);
		if (shared->inside)
			shared->broken_in++;
	}
	return 0;
}

static void be_busy_inside(void)
{
	assert_ok(pthread_mutex_lock(&mutex));
	shared->inside = true;
	stay_busy_us(300);
	shared->inside = false;
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* Let the stranger have some turns. `gets_in`: a turn must be in a section; else none may be. */
static void let_look_in(int priority, bool gets_in)
{
	pid_t stranger = start_stranger("look-in", priority);
	int last = shared->turns + 20;

	while (shared->turns < last || (gets_in && shared->broken_in == 0))
		be_busy_inside();
	assert_true(gets_in || shared->broken_in == 0);
	shared->over = true;
	assert_int_equal(status_of(stranger), 0);
	assert_ok(munmap(shared, sizeof(*shared)));
}

void nor_does_the_clock_let_it_in(void **state)
{
	UNUSED(state);
	let_look_in(20, false);
	let_look_in(CEILING, false);
	let_look_in(CEILING + 1, true);
	expect_outside(LOW);
}
