/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cpmd_polluters.h"

#include "../linux/machine/clock.h"
#include "../linux/real_time/bounded.h"
#include "cpmd_set.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define LOOK_NS	    (5 * NS_PER_MS)
#define PATIENCE_NS (30 * NS_PER_S)

/* The polluter of a CPU, in a separate cache line. */
struct polluter {
	_Alignas(LINE_BYTES) pid_t pid; /* 0: the CPU has no polluter */
	atomic_int cpu;
	atomic_uint_fast64_t passes;
};

struct polluters {
	struct polluter of_cpu[CPU_SETSIZE];
};

static int pin_here(size_t cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return sched_setaffinity(0, sizeof(one), &one);
}

static _Noreturn void pollute(struct polluter *polluter, size_t cpu, size_t bytes, pid_t parent)
{
	volatile char *array;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || pin_here(cpu) != 0)
		_exit(1);
	array = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (array == MAP_FAILED)
		_exit(1);
	for (;;) {
		for (size_t place = 0; place < bytes; place += LINE_BYTES)
			array[place]++;
		atomic_store(&polluter->cpu, sched_getcpu());
		atomic_fetch_add(&polluter->passes, 1);
	}
}

static int start_each(struct polluters *polluters, size_t array_bytes)
{
	pid_t parent = getpid();
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return errno;
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		struct polluter *polluter = &polluters->of_cpu[cpu];
		pid_t child;

		if (!CPU_ISSET(cpu, &allowed))
			continue;
		child = fork();
		if (child < 0)
			return errno;
		if (child == 0)
			pollute(polluter, cpu, array_bytes, parent);
		polluter->pid = child;
	}
	return 0;
}

/*
 * Wait until each polluter has gone through its array. ENOMEM: a polluter has ended, because it got
 * no array.
 */
static int await_first_passes(const struct polluters *polluters)
{
	const struct timespec pause = timespec_of(LOOK_NS);
	int64_t end_ns = now_ns() + PATIENCE_NS;

	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		const struct polluter *polluter = &polluters->of_cpu[cpu];

		while (polluter->pid != 0 && atomic_load(&polluter->passes) == 0) {
			if (plf_has_ended(polluter->pid))
				return ENOMEM;
			if (now_ns() > end_ns)
				return ETIMEDOUT;
			nanosleep(&pause, NULL);
		}
	}
	return 0;
}

struct polluters *start_polluters(size_t array_bytes)
{
	struct polluters *polluters = mmap(NULL, sizeof(*polluters), PROT_READ | PROT_WRITE,
					   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int error;

	if (polluters == MAP_FAILED)
		return NULL;
	error = start_each(polluters, array_bytes);
	if (error == 0)
		error = await_first_passes(polluters);
	if (error == 0)
		return polluters;
	end_polluters(polluters);
	errno = error;
	return NULL;
}

void print_polluters(const struct polluters *polluters)
{
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		const struct polluter *polluter = &polluters->of_cpu[cpu];

		if (polluter->pid != 0)
			printf("polluter %d %" PRIuFAST64 "\n", atomic_load(&polluter->cpu),
			       atomic_load(&polluter->passes));
	}
}

void end_polluters(struct polluters *polluters)
{
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (polluters->of_cpu[cpu].pid != 0)
			kill(polluters->of_cpu[cpu].pid, SIGKILL);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (polluters->of_cpu[cpu].pid != 0)
			plf_release(polluters->of_cpu[cpu].pid);
	munmap(polluters, sizeof(*polluters));
}
