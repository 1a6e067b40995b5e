/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "team.h"

#include <dirent.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STACK_SIZE = 1 << 19 };

static char log_text[256];
static size_t log_length;

static void *run_member(void *argument)
{
	struct member *member = argument;

	member->tid = gettid();
	if (member->attached)
		assert_ok(plf_attach(member->priority, member->cpu, test_flags));
	member->body(member->argument);
	return NULL;
}

/*
 * Give each thread a stack of its own. The C library would give the stack of a vanished thread to
 * the next thread, with everything that a sanitizer's destructors have not cleared.
 */
static void launch(struct member *member)
{
	struct sched_param param = { .sched_priority = member->priority };
	pthread_attr_t attr;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)member->cpu, &set);
	member->stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert_true(member->stack != MAP_FAILED);
	assert_ok(pthread_attr_init(&attr));
	assert_ok(pthread_attr_setstack(&attr, member->stack, STACK_SIZE));
	assert_ok(pthread_attr_setaffinity_np(&attr, sizeof(set), &set));
	assert_ok(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED));
	assert_ok(pthread_attr_setschedpolicy(&attr,
					      member->priority > 0 ? SCHED_FIFO : SCHED_OTHER));
	assert_ok(pthread_attr_setschedparam(&attr, &param));
	assert_ok(pthread_create(&member->thread, &attr, run_member, member));
	pthread_attr_destroy(&attr);
}

void start_on(struct member *member, int cpu, int priority, void (*body)(void *), void *argument)
{
	*member = (struct member) { .body = body,
				    .argument = argument,
				    .priority = priority,
				    .cpu = cpu,
				    .attached = true };
	launch(member);
}

void start(struct member *member, int priority, void (*body)(void *), void *argument)
{
	start_on(member, 0, priority, body, argument);
}

void start_stranger(struct member *member, int priority, void (*body)(void *), void *argument)
{
	*member = (struct member) { .body = body, .argument = argument, .priority = priority };
	launch(member);
}

void join(struct member *member)
{
	assert_ok(pthread_join(member->thread, NULL));
	assert_ok(munmap(member->stack, STACK_SIZE));
}

void vanish(void)
{
	for (;;)
		syscall(SYS_exit, 0);
}

int attach_main(void **state)
{
	(void)state;
	forget_notes();
	return plf_attach(LOW, 0, test_flags);
}

int detach_main(void **state)
{
	(void)state;
	return plf_detach();
}

/*
 * The fields of /proc/self/task/TID/stat from the third on. The name before them may hold blanks.
 */
static const char *stat_of(int tid, char *text, int size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_non_null(fgets(text, size, file));
	fclose(file);
	return strrchr(text, ')') + 1;
}

/* Field 18 is -1 - priority for a real-time thread. */
int kernel_priority(int tid)
{
	char text[512];
	int value = 0;

	assert_int_equal(sscanf(stat_of(tid, text, sizeof(text)),
				" %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %d",
				&value),
			 1);
	return value < 0 ? -1 - value : 0;
}

int thread_within(int least, int most)
{
	DIR *folder = opendir("/proc/self/task");
	const struct dirent *entry;
	int found = 0;

	assert_non_null(folder);
	while ((entry = readdir(folder)) != NULL) {
		int tid = atoi(entry->d_name);
		int priority = tid > 0 ? kernel_priority(tid) : 0;

		if (priority >= least && priority <= most)
			found = tid;
	}
	closedir(folder);
	assert_true(found != 0);
	return found;
}

/* The first field of schedstat. */
uint64_t executed_ns(int tid)
{
	char path[64];
	uint64_t time_ns = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", tid);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%" SCNu64, &time_ns), 1);
	fclose(file);
	return time_ns;
}

static char state_of(int tid)
{
	char text[512];

	return stat_of(tid, text, sizeof(text))[1];
}

bool is_asleep(int tid)
{
	return state_of(tid) == 'S';
}

void await_asleep(const struct member *member)
{
	const volatile int *tid = &member->tid;

	while (*tid == 0 || !is_asleep(*tid))
		sleep_ms(1);
}

bool on_ceiling_stack(void)
{
	return (test_flags & PLF_BACKEND_USER) != 0;
}

bool on_classic_protocol(void)
{
	return (test_flags & PLF_BACKEND_SYSCALL) != 0;
}

bool has_global_mutexes(void)
{
	return (test_flags & PLF_STRICT) == 0;
}

long involuntary_switches(void)
{
	struct rusage usage;

	assert_ok(getrusage(RUSAGE_THREAD, &usage));
	return usage.ru_nivcsw;
}

bool has_robust_futexes(int tid)
{
	struct robust_list_head *head;
	size_t size;

	assert_ok(syscall(SYS_get_robust_list, tid, &head, &size));
	return head->list.next != &head->list;
}

void note(char what)
{
	if (log_length + 1 < sizeof(log_text))
		log_text[log_length++] = what;
}

void forget_notes(void)
{
	memset(log_text, 0, sizeof(log_text));
	log_length = 0;
}

const char *notes(void)
{
	return log_text;
}

void sleep_ms(unsigned ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	nanosleep(&time, NULL);
}
