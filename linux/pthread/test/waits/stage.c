/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "stage.h"

#include "../../../real_time/bounded.h"
#include "../../../real_time/test/patience.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REAL_TIME_LIMIT_US = 5 * 1000000 };

pthread_mutex_t mutex;

enum { THE_HOLDER, THE_WORLD, THE_MIDDLE, THREADS };

struct shared {
	char testing[64];
	pid_t thread[THREADS];
};

static struct shared *shared; /* with the supervisor */

static char log_text[16];
static size_t log_length;

static int cpu;
static sem_t job_given;
static void (*job)(void);

/* ---- The supervisor ---------------------------------------------------- */

static pid_t tests_pid;

static int become(pid_t thread, int policy, int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	return sched_setscheduler(thread, policy, &param);
}

/*
 * SIGKILL does not end a thread that spins in the kernel for a less urgent thread: see bounded.h.
 * So all threads are made ordinary first.
 */
static void out_of_time(int number)
{
	(void)number;
	for (size_t i = 0; i < THREADS; i++)
		if (shared->thread[i] != 0)
			become(shared->thread[i], SCHED_OTHER, 0);
	kill(-tests_pid, SIGKILL);
}

static void become_fifo(int priority)
{
	if (become(0, SCHED_FIFO, priority) == 0)
		return;
	fprintf(stderr, "SCHED_FIFO is denied (%s): give RLIMIT_RTPRIO or CAP_SYS_NICE\n",
		strerror(errno));
	exit(1);
}

int supervise(const char *name, void (*tests)(void))
{
	pid_t supervisor = getpid();
	int status;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	check(shared != MAP_FAILED);
	check(plf_bound_real_time(REAL_TIME_LIMIT_US) == 0);
	tests_pid = fork();
	check(tests_pid >= 0);
	if (tests_pid == 0) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != supervisor)
			_exit(1);
		tests();
		exit(0);
	}
	setpgid(tests_pid, tests_pid);
	become_fifo(sched_get_priority_max(SCHED_FIFO));
	signal(SIGALRM, out_of_time);
	alarm(PLF_HUNG_S);
	status = plf_release(tests_pid);
	alarm(0);
	check(status >= 0);
	kill(-tests_pid, SIGKILL); /* children that may be left */
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	fprintf(stderr, "%s, %s: killed by signal %d%s\n", name, shared->testing, WTERMSIG(status),
		WTERMSIG(status) == SIGKILL ? ", for it did not end" : "");
	return 1;
}

/* ---- The threads ------------------------------------------------------- */

static int first_cpu(void)
{
	cpu_set_t set;
	size_t first = 0;

	check(sched_getaffinity(0, sizeof(set), &set) == 0);
	while (!CPU_ISSET(first, &set))
		first++;
	return (int)first;
}

struct thread {
	void *(*body)(void *);
	pid_t *id;
};

static void *run(void *thread)
{
	const struct thread *self = thread;

	*self->id = gettid();
	return self->body(NULL);
}

static pthread_t start(int priority, struct thread *self)
{
	struct sched_param param = { .sched_priority = priority };
	pthread_attr_t attr;
	pthread_t thread;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	check(pthread_attr_init(&attr) == 0);
	check(pthread_attr_setaffinity_np(&attr, sizeof(set), &set) == 0);
	check(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED) == 0);
	check(pthread_attr_setschedpolicy(&attr, SCHED_FIFO) == 0);
	check(pthread_attr_setschedparam(&attr, &param) == 0);
	check(pthread_create(&thread, &attr, run, self) == 0);
	pthread_attr_destroy(&attr);
	return thread;
}

pthread_t start_middle(void *(*body)(void *))
{
	static struct thread middle;

	middle = (struct thread) { body, &shared->thread[THE_MIDDLE] };
	return start(MIDDLE, &middle);
}

static void *world(void *unused)
{
	(void)unused;
	for (;;) {
		while (sem_wait(&job_given) != 0)
			;
		job();
		__atomic_store_n(&job, NULL, __ATOMIC_RELEASE);
	}
	return NULL;
}

void world_does(void (*what)(void))
{
	__atomic_store_n(&job, what, __ATOMIC_RELEASE);
	check(sem_post(&job_given) == 0);
	while (__atomic_load_n(&job, __ATOMIC_ACQUIRE) != NULL)
		; /* less urgent than the world; the supervisor bounds it */
}

void set_stage(void)
{
	static struct thread the_world;
	pthread_mutexattr_t attr;
	cpu_set_t set;

	cpu = first_cpu();
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	check(sched_setaffinity(0, sizeof(set), &set) == 0);
	become_fifo(HOLDER);
	shared->thread[THE_HOLDER] = gettid();
	check(pthread_mutexattr_init(&attr) == 0);
	check(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT) == 0);
	check(pthread_mutexattr_setprioceiling(&attr, CEILING) == 0);
	check(pthread_mutex_init(&mutex, &attr) == 0);
	check(sem_init(&job_given, 0, 0) == 0);
	the_world = (struct thread) { world, &shared->thread[THE_WORLD] };
	pthread_detach(start(WORLD, &the_world));
}

pid_t start_child(void (*body)(void))
{
	pid_t child = fork();

	check(child >= 0);
	if (child > 0)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	body();
	for (;;)
		pause();
}

/* Field 18 of stat: -1 - priority. The name before it may contain blanks. */
int kernel_priority(void)
{
	char text[512];
	int value = 0;
	FILE *file = fopen("/proc/thread-self/stat", "re");

	check(file != NULL);
	check(fgets(text, sizeof(text), file) != NULL);
	fclose(file);
	check(sscanf(strrchr(text, ')') + 1,
		     " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %d",
		     &value) == 1);
	return -1 - value;
}

/* ---- The events -------------------------------------------------------- */

void note(char what)
{
	if (log_length + 1 < sizeof(log_text))
		log_text[log_length++] = what;
}

void expect_notes(const char *expected)
{
	if (strcmp(log_text, expected) != 0) {
		fprintf(stderr, "%s: expected the order %s, not %s\n", shared->testing, expected,
			log_text);
		_exit(1);
	}
	memset(log_text, 0, sizeof(log_text));
	log_length = 0;
}

void now_testing(const char *what)
{
	snprintf(shared->testing, sizeof(shared->testing), "%s", what);
}

void fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: %s: not so: %s (%m)\n", file, line,
		shared == NULL ? "start" : shared->testing, condition);
	_exit(1);
}
