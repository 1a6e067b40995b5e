/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * An ordinary program, which knows nothing of the drop-in. It does the actions that its arguments
 * name, in their order, and returns 7. Its threads are SCHED_FIFO on CPU 0; the main thread has
 * priority 10. A watchdog ends a thread that hangs.
 */
#include "../../../real_time/test/patience.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STATUS = 7, MUTEXES = 8 };
enum { MAIN_PRIORITY = 10, CEILING = 20 };

static pthread_mutex_t variables[MUTEXES], *mutex = variables;
static int mutexes;
static sem_t done;
extern char **environ;

static void require(const char *call, bool is_so)
{
	if (is_so)
		return;
	fprintf(stderr, "%s: %s\n", call, strerror(errno));
	_exit(99);
}

/* ---- Mutexes ----------------------------------------------------------- */

/* All mutexes are made by one call, whose return address is the site. */
void make_mutex(int protocol)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, protocol);
	if (protocol == PTHREAD_PRIO_PROTECT)
		pthread_mutexattr_setprioceiling(&attr, CEILING);
	require("pthread_mutex_init", pthread_mutex_init(&mutex[mutexes++], &attr) == 0);
	pthread_mutexattr_destroy(&attr);
}

static void protect(int unused)
{
	(void)unused;
	make_mutex(PTHREAD_PRIO_PROTECT);
}

static void inherit(int unused)
{
	(void)unused;
	make_mutex(PTHREAD_PRIO_INHERIT);
}

/* Two helpers call the same function, so the path differs but the call is the same. */
__attribute__((noinline)) void first_path(int unused)
{
	inherit(unused);
	__asm__ volatile("");
}

__attribute__((noinline)) void second_path(int unused)
{
	inherit(unused);
	__asm__ volatile("");
}

/* Name the last mutex. Returns 0 without the drop-in. */
static int set_name(const char *text)
{
	void *found = dlsym(RTLD_DEFAULT, "plf_pthread_mutex_setname");
	int (*setname)(pthread_mutex_t *, const char *) = NULL;

	memcpy(&setname, &found, sizeof(found));
	return setname == NULL ? 0 : setname(&mutex[mutexes - 1], text);
}

static void name(int number)
{
	char text[32];

	snprintf(text, sizeof(text), "number %d", number);
	require("setname", set_name(text) == 0);
}

static void name_wrongly(int unused)
{
	(void)unused;
	require("no name", set_name("") == EINVAL);
	require("a long name", set_name("12345678901234567890123456789012") == EINVAL);
	require("pthread_mutex_lock", pthread_mutex_lock(&mutex[mutexes - 1]) == 0);
	require("a name when held", set_name("held") == EBUSY);
	require("pthread_mutex_unlock", pthread_mutex_unlock(&mutex[mutexes - 1]) == 0);
}

/* From now on mutexes are on the heap, so they are no variables. */
static void heap(int unused)
{
	(void)unused;
	mutex = calloc(MUTEXES, sizeof(*mutex));
	require("calloc", mutex != NULL);
}

void plain(int unused)
{
	(void)unused;
	require("pthread_mutex_init", pthread_mutex_init(&mutex[mutexes++], NULL) == 0);
}

/* Like a std::mutex, this mutex is made by no call. */
static void zero(int unused)
{
	(void)unused;
	mutex[mutexes++] = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

static void adaptive(int unused)
{
	pthread_mutexattr_t attr;

	(void)unused;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
	require("pthread_mutex_init", pthread_mutex_init(&mutex[mutexes++], &attr) == 0);
	pthread_mutexattr_destroy(&attr);
}

static void destroy(int unused)
{
	(void)unused;
	require("pthread_mutex_destroy", pthread_mutex_destroy(&mutex[--mutexes]) == 0);
}

void lock(int times)
{
	for (int i = 0; i < times; i++) {
		require("pthread_mutex_lock", pthread_mutex_lock(&mutex[mutexes - 1]) == 0);
		require("pthread_mutex_unlock", pthread_mutex_unlock(&mutex[mutexes - 1]) == 0);
	}
}

static pthread_mutex_t *of_main;

/* Use a mutex that is a local variable of main(). */
static void on_stack(int number)
{
	mutex = of_main;
	mutexes = number;
	require("pthread_mutex_init", pthread_mutex_init(&mutex[number - 1], NULL) == 0);
	lock(1);
}

static void nest_around(int times, void (*outermost)(void))
{
	for (int n = 0; n < times; n++) {
		for (int i = 0; i < mutexes; i++) {
			require("pthread_mutex_lock", pthread_mutex_lock(&mutex[i]) == 0);
			if (i == 0)
				outermost();
		}
		for (int i = mutexes - 1; i >= 0; i--)
			require("pthread_mutex_unlock", pthread_mutex_unlock(&mutex[i]) == 0);
	}
}

static void do_nothing(void)
{
}

static void nap(void)
{
	const struct timespec time = { .tv_nsec = 1000 };

	require("nanosleep", nanosleep(&time, NULL) == 0);
}

static void nest(int times)
{
	nest_around(times, do_nothing);
}

static void nest_asleep(int times)
{
	nest_around(times, nap);
}

/* ---- Threads ----------------------------------------------------------- */

static pthread_t start(int priority, void *(*routine)(void *), int times)
{
	struct sched_param param = { .sched_priority = priority };
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
	pthread_attr_setschedparam(&attr, &param);
	errno = pthread_create(&thread, &attr, routine, (void *)(intptr_t)times);
	require("pthread_create", errno == 0);
	pthread_attr_destroy(&attr);
	return thread;
}

static pid_t waits; /* the last thread that locked in this way */

static void *lock_some(void *times)
{
	__atomic_store_n(&waits, gettid(), __ATOMIC_RELEASE);
	lock((int)(intptr_t)times);
	return NULL;
}

/* A task with a period of 2 ms. */
void *periodic_task(void *times)
{
	static const struct timespec period = { .tv_nsec = 2000000 };

	pthread_setname_np(pthread_self(), "periodic \"task\"");
	for (int i = 0; i < (int)(intptr_t)times; i++) {
		lock(1);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &period, NULL);
	}
	return NULL;
}

static void *make_one(void *unused)
{
	first_path(0);
	return unused;
}

/* Threads that make mutexes, and differ only by the place of their creation. */
__attribute__((noinline)) void maker(int number)
{
	pthread_join(start(15, make_one, number), NULL);
}

__attribute__((noinline)) void other_maker(int number)
{
	pthread_join(start(15, make_one, number), NULL);
	__asm__ volatile("");
}

/* Threads that differ only by their argument. */
static void numbered(int number)
{
	pthread_join(start(15, make_one, number), NULL);
}

static void task(int times)
{
	pthread_join(start(15, periodic_task, times), NULL);
}

static void urgent_task(int times)
{
	pthread_join(start(CEILING, periodic_task, times), NULL);
}

static void threads(int number)
{
	for (int i = 0; i < number; i++)
		pthread_join(start(15, lock_some, 1), NULL);
}

/* A more urgent thread comes while the main thread holds the mutex, and locks it or not. */
static void hold_and_start(int times, int locks)
{
	for (int i = 0; i < times; i++) {
		pthread_t thread;

		require("pthread_mutex_lock", pthread_mutex_lock(&mutex[mutexes - 1]) == 0);
		thread = start(15, lock_some, locks);
		require("pthread_mutex_unlock", pthread_mutex_unlock(&mutex[mutexes - 1]) == 0);
		pthread_join(thread, NULL);
	}
}

static void contend(int times)
{
	hold_and_start(times, 1);
}

static int priority_in_kernel(void)
{
	char text[512] = "";
	long priority = 0;
	FILE *file = fopen("/proc/thread-self/stat", "re");
	char *word = text;

	require("/proc/thread-self/stat", file != NULL && fgets(text, sizeof(text), file) != NULL);
	fclose(file);
	word = strrchr(text, ')');
	for (int field = 2; field < 18; field++)
		word = strchr(word + 1, ' ');
	priority = strtol(word, NULL, 10);
	return priority < 0 ? (int)(-1 - priority) : 0;
}

/* A thread of priority 15 waits for the main thread, which then runs at that priority. */
static void await_lent(int priority)
{
	pthread_t thread;
	int64_t began = plf_clock_ms();

	require("pthread_mutex_lock", pthread_mutex_lock(&mutex[mutexes - 1]) == 0);
	thread = start(15, lock_some, 1);
	while (!__atomic_load_n(&waits, __ATOMIC_ACQUIRE) ||
	       !plf_sleeps_in(__atomic_load_n(&waits, __ATOMIC_ACQUIRE), SYS_futex))
		require("waits", plf_is_patient(began));
	errno = 0;
	require("priority", priority_in_kernel() == priority);
	require("pthread_mutex_unlock", pthread_mutex_unlock(&mutex[mutexes - 1]) == 0);
	pthread_join(thread, NULL);
}

static void *unlock_it(void *unused)
{
	require("pthread_mutex_unlock", pthread_mutex_unlock(&mutex[mutexes - 1]) == 0);
	return unused;
}

/* Another thread unlocks a mutex that the main thread has locked. Plain mutexes permit that. */
static void hand_over(int times)
{
	for (int i = 0; i < times; i++) {
		require("pthread_mutex_lock", pthread_mutex_lock(&mutex[mutexes - 1]) == 0);
		pthread_join(start(15, unlock_it, 0), NULL);
	}
}

static void preempt(int times)
{
	hold_and_start(times, 0);
}

static void *live_on(void *times)
{
	lock((int)(intptr_t)times);
	sem_post(&done);
	pause();
	return NULL;
}

static void living_thread(int times)
{
	start(15, live_on, times);
	sem_wait(&done);
}

static void *vanish_after(void *times)
{
	lock((int)(intptr_t)times);
	syscall(SYS_exit, 0);
	return NULL;
}

static void vanishing_thread(int times)
{
	pthread_join(start(15, vanish_after, times), NULL);
}

static void other_priority(int priority)
{
	struct sched_param param = { .sched_priority = priority };

	require("pthread_setschedparam",
		pthread_setschedparam(pthread_self(), SCHED_FIFO, &param) == 0);
}

static void ordinary(int unused)
{
	const struct sched_param param = { .sched_priority = 0 };

	(void)unused;
	require("sched_setscheduler", sched_setscheduler(0, SCHED_OTHER, &param) == 0);
}

/* The child is not released here: see status_of() of semantics/team.c. */
static void await(pid_t child)
{
	siginfo_t info;

	require("waitid", waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) == 0);
	errno = info.si_status;
	require("child", info.si_code == CLD_EXITED && info.si_status == 0);
}

/* As rtkit does: another process sets the priority, and no thread inherits it. */
static void granted(int priority)
{
	const struct sched_param param = { .sched_priority = priority };
	const pid_t thread = gettid();
	pid_t pid = fork();

	if (pid == 0)
		_exit(sched_setscheduler(thread, SCHED_RR | SCHED_RESET_ON_FORK, &param) != 0);
	await(pid);
}

static void unpin(int unused)
{
	cpu_set_t any;

	(void)unused;
	memset(&any, 0xff, sizeof(any));
	require("sched_setaffinity", sched_setaffinity(0, sizeof(any), &any) == 0);
}

/* ---- Processes --------------------------------------------------------- */

static void child(int times)
{
	pid_t pid = fork();

	if (pid == 0) {
		plf_end_if_hung(); /* not inherited */
		lock(times);
		exit(0);
	}
	await(pid);
}

static void spawn(int times)
{
	char number[16];
	char *argv[] = { "spawned", "protect", "1", "lock", number, "exit", "0", NULL };
	pid_t pid;

	snprintf(number, sizeof(number), "%d", times);
	require("posix_spawn", posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ) == 0);
	await(pid);
}

static void exec(int times)
{
	char number[16];
	char *argv[] = { "anew", "protect", "1", "lock", number, NULL };

	snprintf(number, sizeof(number), "%d", times);
	execv("/proc/self/exe", argv);
	require("execv", false);
}

static void away(int unused)
{
	(void)unused;
	require("chdir", chdir("/") == 0);
}

static void no_stderr(int unused)
{
	(void)unused;
	close(STDERR_FILENO);
}

static void end_thread(int unused)
{
	(void)unused;
	pthread_exit(NULL); /* the last thread: the process exits with 0 */
}

/* From now on the process cannot write in this folder, as another user or because of the mode. */
static void give_up(int raw)
{
	const uid_t user = geteuid() == 0 ? 65534 : getuid();

	require("setuid", (raw != 0 ? (int)syscall(SYS_setuid, user) : setuid(user)) == 0);
	require("chmod", user == 65534 || chmod(".", S_IRUSR | S_IXUSR) == 0);
	require("privilege", open("another", O_CREAT | O_WRONLY | O_CLOEXEC, 0666) < 0);
}

/* Enter a root without this folder. Only root may. */
static void change_root(int unused)
{
	(void)unused;
	require("chroot", geteuid() != 0 || (chroot("/proc/self/fdinfo") == 0 && chdir("/") == 0));
}

static void close_all(int unused)
{
	(void)unused;
	require("close_range", close_range(STDERR_FILENO + 1, ~0U, 0) == 0);
}

/* A child that locks after it has given up its rights. */
static void unprivileged_child(int times)
{
	pid_t pid = fork();

	if (pid == 0) {
		plf_end_if_hung();
		give_up(0);
		lock(times);
		exit(0);
	}
	await(pid);
}

static void limit_files(int bytes)
{
	const struct rlimit limit = { (rlim_t)bytes, (rlim_t)bytes };

	require("setrlimit", setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

static void die(int number)
{
	raise(number);
}

static const struct {
	const char *name;
	void (*function)(int);
} verbs[] = {
	{ "protect", protect },
	{ "inherit", inherit },
	{ "first-path", first_path },
	{ "second-path", second_path },
	{ "heap", heap },
	{ "on-stack", on_stack },
	{ "maker", maker },
	{ "other-maker", other_maker },
	{ "numbered", numbered },
	{ "name", name },
	{ "name-wrongly", name_wrongly },
	{ "plain", plain },
	{ "zero", zero },
	{ "adaptive", adaptive },
	{ "destroy", destroy },
	{ "lock", lock },
	{ "nest", nest },
	{ "nest-asleep", nest_asleep },
	{ "task", task },
	{ "urgent-task", urgent_task },
	{ "threads", threads },
	{ "contend", contend },
	{ "preempt", preempt },
	{ "hand-over", hand_over },
	{ "await-lent", await_lent },
	{ "living-thread", living_thread },
	{ "vanishing-thread", vanishing_thread },
	{ "priority", other_priority },
	{ "ordinary", ordinary },
	{ "granted", granted },
	{ "unpin", unpin },
	{ "fork", child },
	{ "spawn", spawn },
	{ "exec", exec },
	{ "chdir", away },
	{ "close-stderr", no_stderr },
	{ "limit-files", limit_files },
	{ "give-up", give_up },
	{ "chroot", change_root },
	{ "close-all", close_all },
	{ "unprivileged-fork", unprivileged_child },
	{ "exit", exit },
	{ "_exit", _exit },
	{ "_Exit", _Exit },
	{ "quick_exit", quick_exit },
	{ "pthread_exit", end_thread },
	{ "kill", die },
};

static void run(const char *verb, int number)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(verbs[i].name, verb) == 0) {
			verbs[i].function(number);
			return;
		}
	errno = EINVAL;
	require(verb, false);
}

int main(int argc, char **argv)
{
	pthread_mutex_t some[2];
	cpu_set_t first;

	of_main = some;
	plf_end_if_hung();
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	require("sched_setaffinity", sched_setaffinity(0, sizeof(first), &first) == 0);
	other_priority(MAIN_PRIORITY);
	sem_init(&done, 0, 0);
	for (int i = 1; i + 1 < argc; i += 2)
		run(argv[i], atoi(argv[i + 1]));
	puts("done");
	return STATUS;
}
