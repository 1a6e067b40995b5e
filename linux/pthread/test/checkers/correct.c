/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A correct program: threads count under mutexes of each protocol, wait for each other, and fork.
 * It prints the counts. With the argument `urgent` its threads are SCHED_FIFO on a single CPU, and
 * two of the mutexes have ceilings.
 */
#include "../../../real_time/test/patience.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { THREADS = 3, ROUNDS = 100, TURNS = 10, FIRST_PRIORITY = 3, CEILING = 20, LONG_S = 1000 };
enum { WITH_CEILING, RECURSIVE_WITH_CEILING, INHERITING, ROBUST, PLAIN, MUTEXES };

static pthread_mutex_t mutex[MUTEXES];
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t all_have_counted;
static sem_t semaphore;
static long counted[MUTEXES], written, posted, turns, waits;
static bool is_urgent;

static void require(const char *call, int error)
{
	if (error == 0)
		return;
	printf("%s: %s\n", call, strerror(error));
	exit(1);
}

static void make(int which, int protocol, int type, int robust)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, protocol);
	if (protocol == PTHREAD_PRIO_PROTECT)
		pthread_mutexattr_setprioceiling(&attr, CEILING);
	pthread_mutexattr_settype(&attr, type);
	pthread_mutexattr_setrobust(&attr, robust);
	require("pthread_mutex_init", pthread_mutex_init(&mutex[which], &attr));
	pthread_mutexattr_destroy(&attr);
}

static void make_all(void)
{
	int protect = is_urgent ? PTHREAD_PRIO_PROTECT : PTHREAD_PRIO_INHERIT;

	make(WITH_CEILING, protect, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
	make(RECURSIVE_WITH_CEILING, protect, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
	make(INHERITING, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
	make(ROBUST, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
	make(PLAIN, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
	pthread_barrier_init(&all_have_counted, NULL, THREADS);
	sem_init(&semaphore, 0, 1);
}

enum { TRY_FIRST, WITH_LIMIT, WITHOUT_LIMIT, WAYS };

static int lock(int which, int way)
{
	struct timespec later;

	clock_gettime(CLOCK_REALTIME, &later);
	later.tv_sec += LONG_S;
	if (way == TRY_FIRST && pthread_mutex_trylock(&mutex[which]) == 0)
		return 0;
	return way == WITH_LIMIT ? pthread_mutex_timedlock(&mutex[which], &later)
				 : pthread_mutex_lock(&mutex[which]);
}

static void count(int round)
{
	for (int i = 0; i < MUTEXES; i++) {
		require("lock", lock(i, round % WAYS));
		counted[i]++;
		require("unlock", pthread_mutex_unlock(&mutex[i]));
	}
	pthread_rwlock_wrlock(&rwlock);
	written++;
	pthread_rwlock_unlock(&rwlock);
	sem_wait(&semaphore);
	posted++;
	sem_post(&semaphore);
}

/* The threads take turns. Each last wait ends by a timeout, or by a late broadcast. */
static void take_turns(long self, int which)
{
	struct timespec past = { .tv_sec = 1 };
	int error;

	require("lock", pthread_mutex_lock(&mutex[which]));
	for (int i = 0; i < TURNS; i++) {
		while (turns % THREADS != self)
			require("wait", pthread_cond_wait(&turn_changed, &mutex[which]));
		turns++;
		pthread_cond_broadcast(&turn_changed);
	}
	do
		error = pthread_cond_timedwait(&turn_changed, &mutex[which], &past);
	while (error == 0);
	require("timedwait", error == ETIMEDOUT ? 0 : error);
	waits++;
	require("unlock", pthread_mutex_unlock(&mutex[which]));
}

static void *work(void *self)
{
	for (int round = 0; round < ROUNDS; round++)
		count(round);
	pthread_barrier_wait(&all_have_counted);
	take_turns((long)self, WITH_CEILING);
	return malloc(1); /* freed by main() */
}

static void start(pthread_t *thread, long self)
{
	struct sched_param param = { .sched_priority = FIRST_PRIORITY + (int)self };
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	if (is_urgent) {
		pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
		pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
		pthread_attr_setschedparam(&attr, &param);
	}
	require("create", pthread_create(thread, &attr, work, (void *)self));
	pthread_attr_destroy(&attr);
}

static void be_scheduled(int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	require("setschedparam", pthread_setschedparam(pthread_self(), policy, &param));
}

static void be_urgent(void)
{
	struct rlimit longest = { 2000000, 2000000 };
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	setrlimit(RLIMIT_RTTIME, &longest);
	if (sched_setaffinity(0, sizeof(first), &first) != 0)
		require("sched_setaffinity", errno);
	be_scheduled(SCHED_FIFO, FIRST_PRIORITY - 1);
}

static pid_t waiter;

static void *wait_for_main(void *unused)
{
	__atomic_store_n(&waiter, gettid(), __ATOMIC_RELEASE);
	require("lock", lock(PLAIN, WITH_LIMIT));
	counted[PLAIN]++;
	require("unlock", pthread_mutex_unlock(&mutex[PLAIN]));
	return unused;
}

/* Hold the mutex until a thread waits for it with a time limit. */
static void hold_a_mutex(void)
{
	int64_t began_ms = plf_clock_ms();
	pthread_t thread;

	require("lock", lock(PLAIN, WITHOUT_LIMIT));
	require("create", pthread_create(&thread, NULL, wait_for_main, NULL));
	while (!plf_sleeps_in(__atomic_load_n(&waiter, __ATOMIC_ACQUIRE), SYS_futex))
		require("hold_a_mutex", plf_is_patient(began_ms) ? 0 : ETIMEDOUT);
	counted[PLAIN]++;
	require("unlock", pthread_mutex_unlock(&mutex[PLAIN]));
	pthread_join(thread, NULL);
}

static void count_in_a_child(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		count(0);
		_exit(0);
	}
	waitpid(child, &status, 0);
	require("child", status);
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];

	plf_end_if_hung();
	is_urgent = argc > 1 && strcmp(argv[1], "urgent") == 0;
	if (is_urgent)
		be_urgent();
	make_all();
	for (long i = 0; i < THREADS; i++)
		start(&thread[i], i);
	for (int i = 0; i < THREADS; i++) {
		void *memory;

		pthread_join(thread[i], &memory);
		free(memory);
	}
	hold_a_mutex();
	count_in_a_child();
	for (int i = 0; i < MUTEXES; i++) {
		printf("%ld ", counted[i]);
		require("destroy", pthread_mutex_destroy(&mutex[i]));
	}
	printf("%ld %ld %ld %ld\n", written, posted, turns, waits);
	be_scheduled(SCHED_OTHER, 0); /* a search for leaks spins for a thread that is not urgent */
	return 0;
}
