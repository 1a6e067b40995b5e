/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "team.h"

#include "../../../real_time/bounded.h"
#include "../../../real_time/test/patience.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REAL_TIME_LIMIT_US = 5 * 1000000 };

static bool unpinned;
static int first_cpu; /* CPU 0 of the tests */
static char log_text[256];
static _Atomic size_t log_length;

/* The first CPU on which the program may run at its start. */
static int find_first_cpu(void)
{
	cpu_set_t set;
	int cpu = 0;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof(set), &set);
	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET((size_t)cpu, &set))
		cpu++;
	return cpu;
}

int run_team(int argc, char **argv, int (*tests)(void))
{
	first_cpu = find_first_cpu();
	unpinned = argc > 1 && strcmp(argv[1], "unpinned") == 0;
	setenv("CMOCKA_TEST_ABORT", "1", 1); /* a failure in any thread ends the program */
	errno = plf_bound_real_time(REAL_TIME_LIMIT_US);
	if (errno != 0) {
		perror("RLIMIT_RTTIME");
		return 1;
	}
	return tests();
}

int prepare_main(void **state)
{
	struct sched_param param = { .sched_priority = LOW };

	UNUSED(state);
	plf_end_if_hung();
	forget_notes();
	pin(0, unpinned ? ANY_CPU : 0);
	return pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
}

static void choose_cpus(cpu_set_t *set, int cpu)
{
	CPU_ZERO(set);
	for (int i = 0; i < (int)sysconf(_SC_NPROCESSORS_CONF); i++)
		if (cpu == ANY_CPU || first_cpu + cpu == i)
			CPU_SET((size_t)i, set);
}

void pin(int tid, int cpu)
{
	cpu_set_t set;

	choose_cpus(&set, cpu);
	assert_ok(sched_setaffinity(tid, sizeof(set), &set));
}

static void *run_member(void *argument)
{
	struct member *member = argument;

	member->tid = gettid();
	member->body(member->argument);
	return NULL;
}

void start_as(struct member *member, int policy, int cpu, int priority, void (*body)(void *),
	      void *argument)
{
	struct sched_param param = { .sched_priority = priority };
	pthread_attr_t attr;
	cpu_set_t set;

	member->body = body;
	member->argument = argument;
	member->tid = 0;
	choose_cpus(&set, cpu);
	assert_ok(pthread_attr_init(&attr));
	assert_ok(pthread_attr_setaffinity_np(&attr, sizeof(set), &set));
	assert_ok(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED));
	assert_ok(pthread_attr_setschedpolicy(&attr, policy));
	assert_ok(pthread_attr_setschedparam(&attr, &param));
	assert_ok(pthread_create(&member->thread, &attr, run_member, member));
	pthread_attr_destroy(&attr);
}

void start_on(struct member *member, int cpu, int priority, void (*body)(void *), void *argument)
{
	start_as(member, SCHED_FIFO, cpu, priority, body, argument);
}

void start(struct member *member, int priority, void (*body)(void *), void *argument)
{
	start_on(member, 0, priority, body, argument);
}

void join(struct member *member)
{
	assert_ok(pthread_join(member->thread, NULL));
}

void await_sleep(const struct member *member)
{
	do
		sleep_ms(1);
	while (member->tid == 0 || kernel_state(member->tid) != 'S');
}

void await_sleep_of_main(void)
{
	do
		sleep_ms(1);
	while (kernel_state(getpid()) != 'S');
}

void run_as(int priority, void (*body)(void *), void *argument)
{
	struct member member;

	start(&member, priority, body, argument);
	join(&member);
}

/* The caller is real-time, so the ordinary process that inherits the child releases it. */
int status_of(pid_t child)
{
	siginfo_t info;

	assert_ok(plf_await_end(child, &info));
	return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
}

int in_child(void (*body)(void *), void *argument)
{
	pid_t parent = getpid();
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		plf_end_if_hung();
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		body(argument);
		_exit(0);
	}
	return status_of(child);
}

void make_mutex(pthread_mutex_t *mutex, int ceiling, int type)
{
	pthread_mutexattr_t attr;

	assert_ok(pthread_mutexattr_init(&attr));
	assert_ok(pthread_mutexattr_settype(&attr, type));
	assert_ok(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT));
	assert_ok(pthread_mutexattr_setprioceiling(&attr, ceiling));
	assert_ok(pthread_mutex_init(mutex, &attr));
	assert_ok(pthread_mutexattr_destroy(&attr));
}

/*
 * Fields 3 and 18 of stat: state, and -1 - priority of a real-time thread. The name before them may
 * contain blanks.
 */
static void read_stat(int tid, char *state, int *priority)
{
	char path[64], text[512];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	assert_int_equal(sscanf(strrchr(text, ')') + 1,
				" %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %d",
				state, priority),
			 2);
}

int kernel_priority(int tid)
{
	char state;
	int value;

	read_stat(tid, &state, &value);
	return value < 0 ? -1 - value : 0;
}

char kernel_state(int tid)
{
	char state;
	int value;

	read_stat(tid, &state, &value);
	return state;
}

int effective_priority(void)
{
	struct sched_param param;

	assert_ok(sched_getparam(0, &param));
	return param.sched_priority;
}

int base_priority(void)
{
	struct sched_param param;
	int policy;

	assert_ok(pthread_getschedparam(pthread_self(), &policy, &param));
	return param.sched_priority;
}

static bool is_set(const char *name, const char *value)
{
	const char *found = getenv(name);

	return found != NULL && strcmp(found, value) == 0;
}

enum way way_of_ceilings(void)
{
	if (!on_plafond() || is_set("PLAFOND_MODE", "eager") || is_set("PLAFOND_MODE", "off"))
		return RAISED;
	if (is_set("PLAFOND_BACKEND", "module"))
		return CLAIMED;
	return unpinned ? RAISED : FRAMED;
}

void expect_perhaps_raised(int ceiling, int otherwise)
{
	enum way way = way_of_ceilings();
	int seen = kernel_priority(gettid());

	if (way != CLAIMED || seen != otherwise)
		assert_int_equal(seen, way == FRAMED ? otherwise : ceiling);
}

void note(char what)
{
	size_t place = log_length++;

	if (place + 1 < sizeof(log_text))
		log_text[place] = what;
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

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

void stay_busy_us(unsigned us)
{
	for (long long end = now_ns() + us * 1000LL; now_ns() < end;)
		;
}

struct timespec in_ms(clockid_t clock, int ms)
{
	struct timespec time;
	long long ns;

	assert_ok(clock_gettime(clock, &time));
	ns = time.tv_nsec + ms * 1000000LL;
	time.tv_sec += ns / 1000000000;
	time.tv_nsec = ns % 1000000000;
	if (time.tv_nsec < 0) {
		time.tv_nsec += 1000000000;
		time.tv_sec--;
	}
	return time;
}
