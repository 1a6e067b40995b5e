/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * Sections in the kernel under stress. Threads of one or two CPUs call the driver at random
 * moments, with sections that nest. An oracle judges their notes afterwards. A control, the
 * kernel's rt_mutex, shows that the oracle detects a broken ceiling.
 *
 * usage: sections CPUS SECONDS   exit status 0: all holds, and the control is caught
 */
#include "sections.h"
#include "../../real_time/test/patience.h"

#include <immpc_driver.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
	OWN_SECTIONS = 4, /* of each thread */
	STEPS = 3 * RESOURCES + 1,
	GAPS = 64,
	EVENTS = 4 * RESOURCES + 2 * GAPS,
	WORK_US_MAX = 40,
	NAP_US_MAX = 600,
	PRIORITY_STEP = 10,
	NS_PER_US = 1000,
	CHUNK_ITERATIONS = 1000,
	CHUNK_PS = 1000000,
};

struct member {
	pthread_t thread;
	struct diary *diary;
	uint32_t section[OWN_SECTIONS];
	uint64_t dice;
	size_t lost; /* notes without room, and refused calls */
};

static int device;
static int64_t end_ns;
static int ceilings[RESOURCES];
static uint32_t resources[RESOURCES];
static struct immpc_step steps[THREADS][OWN_SECTIONS][STEPS];

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static uint32_t below(uint64_t *dice, uint32_t bound)
{
	*dice = *dice * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*dice >> 33) % bound;
}

static void fail(const char *what)
{
	fprintf(stderr, "sections: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void write_note(struct member *m, int64_t time_ns, enum note_kind kind, int resource)
{
	if (m->diary->count == NOTES_MAX)
		m->lost++;
	else
		m->diary->note[m->diary->count++] =
			(struct note) { .time_ns = time_ns, .kind = kind, .resource = resource };
}

/*
 * A thread locks only resources whose ceiling is not below its priority. So urgent threads keep to
 * the first resources.
 */
static size_t make_steps(struct member *m, struct immpc_step *step)
{
	size_t count = 0;
	int held[RESOURCES], depth = 0;

	for (int r = 0; r < RESOURCES; r++) {
		if (ceilings[r] < m->diary->priority || (below(&m->dice, 3) == 0 && depth > 0))
			continue;
		step[count++] = (struct immpc_step) { IMMPC_STEP_LOCK, resources[r], 0 };
		held[depth++] = r;
		step[count++] =
			(struct immpc_step) { IMMPC_STEP_WORK, 0,
					      (1 + below(&m->dice, WORK_US_MAX)) * NS_PER_US };
	}
	while (depth > 0)
		step[count++] =
			(struct immpc_step) { IMMPC_STEP_UNLOCK, resources[held[--depth]], 0 };
	return count;
}

static void make_sections(struct member *m, int thread)
{
	for (int i = 0; i < OWN_SECTIONS; i++) {
		struct immpc_section section = {
			.steps = (uintptr_t)steps[thread][i],
			.step_count = (uint32_t)make_steps(m, steps[thread][i]),
			.gap_room = GAPS,
			.chunk_iterations = CHUNK_ITERATIONS,
			.chunk_ps = CHUNK_PS,
			.gap_ns = 100 * NS_PER_US,
		};
		int number = ioctl(device, IMMPC_IOC_SECTION, &section);

		if (number < 0)
			fail("a section is refused");
		m->section[i] = (uint32_t)number;
	}
}

static void copy_notes(struct member *m, const struct immpc_step *made,
		       const struct immpc_event *events, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		static const int kinds[] = { [IMMPC_EVENT_REQUEST] = REQUEST,
					     [IMMPC_EVENT_GRANT] = GRANT,
					     [IMMPC_EVENT_UNLOCK] = UNLOCK };
		uint32_t resource = made[events[i].step].resource;

		if (events[i].kind <= IMMPC_EVENT_UNLOCK)
			write_note(m, events[i].time_ns, (enum note_kind)kinds[events[i].kind],
				   (int)(resource - resources[0]));
	}
}

static void run_one(struct member *m, int thread)
{
	int which = (int)below(&m->dice, OWN_SECTIONS);
	struct immpc_event events[EVENTS];
	struct immpc_run run = { .section = m->section[which], .events = (uintptr_t)events };
	struct sched_param param;

	write_note(m, run.seen_ns = now_ns(), AWAKE, 0);
	if (ioctl(device, IMMPC_IOC_RUN, &run) != 0) {
		m->lost++;
		return;
	}
	copy_notes(m, steps[thread][which], events, run.event_count);
	if (sched_getparam(0, &param) != 0 || param.sched_priority != m->diary->priority)
		m->lost++;
	write_note(m, now_ns(), AWAKE, 0);
}

static void become(const struct diary *diary)
{
	struct sched_param param = { .sched_priority = diary->priority };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)diary->cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0 ||
	    sched_setscheduler(0, SCHED_FIFO, &param) != 0)
		fail("a thread cannot be set up");
}

static struct member members[THREADS];

static void *act(void *argument)
{
	struct member *m = argument;

	become(m->diary);
	while (now_ns() < end_ns) {
		usleep(1 + below(&m->dice, NAP_US_MAX));
		run_one(m, (int)(m - members));
	}
	return NULL;
}

static void make_resources(uint32_t kind)
{
	for (int r = 0; r < RESOURCES; r++) {
		struct immpc_resource resource = { .kind = kind };
		int number;

		ceilings[r] = PRIORITY_STEP * (THREADS - r);
		resource.ceiling = (uint32_t)ceilings[r];
		number = ioctl(device, IMMPC_IOC_RESOURCE, &resource);
		if (number < 0)
			fail("a resource is refused");
		resources[r] = (uint32_t)number;
	}
}

static bool stress(uint32_t kind, const char *name, int cpus, double seconds, struct diary *diaries)
{
	struct verdict verdict;
	size_t lost = 0;
	bool kept;

	device = open(IMMPC_DEVICE, O_RDWR | O_CLOEXEC);
	if (device < 0)
		fail(IMMPC_DEVICE);
	make_resources(kind);
	end_ns = now_ns() + (int64_t)(seconds * 1e9);
	for (int i = 0; i < THREADS; i++) {
		struct member *m = &members[i];

		*m = (struct member) { .diary = &diaries[i], .dice = (uint64_t)i * 77 + kind };
		m->diary->priority = PRIORITY_STEP * (i + 1);
		m->diary->cpu = i % cpus;
		m->diary->count = 0;
		make_sections(m, i);
	}
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&members[i].thread, NULL, act, &members[i]) != 0)
			fail("a thread cannot be started");
	for (int i = 0; i < THREADS; i++) {
		pthread_join(members[i].thread, NULL);
		lost += members[i].lost;
	}
	close(device);
	verdict = judge(diaries, ceilings);
	kept = verdict.overlaps == 0 && verdict.overtaken == 0 && lost == 0;
	printf("%-10s %zu sections, %zu overlaps, %zu overtaken, %zu lost: %s\n", name,
	       verdict.sections, verdict.overlaps, verdict.overtaken, lost,
	       kept ? "holds" : "violated");
	return kept && verdict.sections > 1000;
}

int main(int argc, char **argv)
{
	struct diary *diaries = calloc(THREADS, sizeof(*diaries));
	struct sched_param highest = { .sched_priority = 99 };
	int cpus = argc == 3 ? atoi(argv[1]) : 0;
	double seconds = argc == 3 ? atof(argv[2]) : 0;
	bool good;

	if (diaries == NULL || cpus < 1 || cpus > 2 || !(seconds > 0)) {
		fprintf(stderr, "usage: sections CPUS SECONDS\n");
		return 2;
	}
	plf_end_if_hung();
	if (sched_setscheduler(0, SCHED_FIFO, &highest) != 0 || mlockall(MCL_CURRENT) != 0)
		fail("set-up");
	good = stress(IMMPC_KIND_POSTPONED, "postponed", cpus, seconds, diaries);
	good = stress(IMMPC_KIND_EAGER, "eager", cpus, seconds, diaries) && good;
	good = !stress(IMMPC_KIND_RT_MUTEX, "rt_mutex", cpus, seconds, diaries) && good;
	return good ? 0 : 1;
}
