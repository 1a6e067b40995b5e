/* SPDX-License-Identifier: MIT */

/*
 * Play short sequences of PI futex operations on the real kernel, with real FIFO threads pinned to
 * one CPU. Print the order of the threads, the result of each call, the words, and each thread's
 * priority and state in the kernel. proof/aarch64/recorded.py generates the sequences, and compares
 * the output with the model's.
 *
 * Input: each line is a sequence THREADS/PROGRAM,PROGRAM,... A thread is given by its priority. A
 * program is a string of two-letter operations:
 * - La  FUTEX_LOCK_PI on word a        Ca  compare-and-swap 0 -> own TID
 * - Ua  FUTEX_UNLOCK_PI                Ra  compare-and-swap own TID -> 0
 * - S1  start thread 1                 Oa  store a TID that no thread has
 * - Da  store the owner-died flag
 * Thread 0 is started first. Output: a line for each operation, in the order in which they ended.
 * It has thread, index, result and words, then a priority and a state (R, S) for each thread. The
 * last line has "end" and the same values when no thread runs any more.
 *
 * Each sequence runs in a separate child, which is killed if it takes too long, so no FIFO thread
 * outlives this program. Memory is locked, because a thread that sleeps for a page would let a less
 * urgent thread run.
 */
#define _GNU_SOURCE
#include "../../linux/real_time/bounded.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	THREADS = 4,
	WORDS = 2,
	PROGRAM = 32,
	EVENTS = 128,
	PRIORITY_CONDUCTOR = 90,
	PRIORITY_IDLE = 1,
	LIMIT_US = 1000000, /* of real time without a sleep; a sequence takes 1 ms */
	LIMIT_S = 30,	    /* a sequence takes 1 ms, but a busy machine has gaps */
	STACK_SIZE = 64 * 1024,
	NO_THREAD = 0x3ffffffe, /* above every pid_max */
};

struct player {
	pthread_t thread;
	uint32_t tid;
	int priority;
	int stat_fd;
	uint32_t started;
	char program[PROGRAM];
};

struct seen {
	int priority;
	char state;
};

struct event {
	int player, index, result;
	uint32_t word[WORDS];
	struct seen seen[THREADS];
};

static struct player player[THREADS];
static int players;
static uint32_t word[WORDS];
static struct event event[EVENTS];
static volatile int events;
static uint32_t quiet; /* only the idle thread can run */

static void fail(const char *what)
{
	fprintf(stderr, "futex_record: %s: %s\n", what, strerror(errno));
	_exit(2);
}

static long futex(uint32_t *at, int op, uint32_t value)
{
	return syscall(SYS_futex, at, op | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

static void raise_flag(uint32_t *flag)
{
	__atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
	futex(flag, FUTEX_WAKE, 1);
}

static void await_flag(uint32_t *flag)
{
	while (__atomic_load_n(flag, __ATOMIC_SEQ_CST) == 0)
		if (futex(flag, FUTEX_WAIT, 0) != 0 && errno != EAGAIN && errno != EINTR)
			fail("futex");
}

/* Fields 3 (state) and 18 (-1 - priority of SCHED_FIFO, with priority that is lent). */
static struct seen look_at(const struct player *p)
{
	struct seen seen = { 0 };
	char text[512], *at;
	ssize_t size = pread(p->stat_fd, text, sizeof(text) - 1, 0);
	int field = 3;

	if (size <= 0)
		fail("/proc/self/task/TID/stat");
	text[size] = '\0';
	at = strrchr(text, ')') + 2;
	seen.state = *at;
	for (; field < 18; field++)
		at = strchr(at, ' ') + 1;
	seen.priority = -1 - atoi(at);
	return seen;
}

static void record(int number, int index, int result)
{
	struct event *e = &event[events];

	if (events == EVENTS - 1)
		fail("too many events");
	*e = (struct event) { .player = number, .index = index, .result = result };
	memcpy(e->word, word, sizeof(word));
	for (int i = 0; i < players; i++)
		e->seen[i] = look_at(&player[i]);
	events++;
}

static int perform(const struct player *p, char op, int operand)
{
	uint32_t *at = &word[operand & 1];
	uint32_t expected = op == 'C' ? 0 : p->tid;
	uint32_t desired = op == 'C' ? p->tid : 0;

	switch (op) {
	case 'L':
		return futex(at, FUTEX_LOCK_PI, 0) == 0 ? 0 : errno;
	case 'U':
		return futex(at, FUTEX_UNLOCK_PI, 0) == 0 ? 0 : errno;
	case 'C':
	case 'R':
		return __atomic_compare_exchange_n(at, &expected, desired, false, __ATOMIC_SEQ_CST,
						   __ATOMIC_SEQ_CST);
	case 'S':
		raise_flag(&player[operand].started);
		return 0;
	case 'O':
		*at = NO_THREAD;
		return 0;
	case 'D':
		*at = FUTEX_OWNER_DIED;
		return 0;
	default:
		fail("unknown operation");
		return -1;
	}
}

static void *play(void *argument)
{
	struct player *p = argument;
	int number = (int)(p - player);

	await_flag(&p->started);
	for (int i = 0; p->program[2 * i] != '\0'; i++) {
		char operand = p->program[2 * i + 1];
		int result = perform(p, p->program[2 * i],
				     operand >= 'a' ? operand - 'a' : operand - '0');

		record(number, i, result);
	}
	/* The thread sleeps and does not end, because no other thread must get its TID. */
	for (;;)
		pause();
	return NULL;
}

static void *idle(void *argument)
{
	raise_flag(&quiet);
	return argument;
}

static void start(pthread_t *thread, void *(*run)(void *), void *argument, int priority)
{
	struct sched_param param = { .sched_priority = priority };
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &param);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	errno = pthread_create(thread, &attributes, run, argument);
	if (errno != 0)
		fail("SCHED_FIFO thread");
}

/* Wait until all threads wait, because only then an idle thread gets the CPU. */
static void settle(void)
{
	pthread_t thread;

	quiet = 0;
	start(&thread, idle, NULL, PRIORITY_IDLE);
	await_flag(&quiet);
	pthread_join(thread, NULL);
}

static uint32_t find_tid(int nth)
{
	return player[nth].tid;
}

static void *announce(void *argument)
{
	struct player *p = argument;

	__atomic_store_n(&p->tid, (uint32_t)gettid(), __ATOMIC_SEQ_CST);
	return play(argument);
}

/* Replace TIDs by thread numbers, from 1 on. */
static uint32_t normal(uint32_t value)
{
	uint32_t tid = value & FUTEX_TID_MASK;

	for (int i = 0; i < players; i++)
		if (tid == find_tid(i))
			return (value & ~(uint32_t)FUTEX_TID_MASK) | (uint32_t)(i + 1);
	return value;
}

static void print_events(void)
{
	for (int i = 0; i < events; i++) {
		const struct event *e = &event[i];

		if (e->player < 0)
			printf("end");
		else
			printf("%d %d %d", e->player, e->index, e->result);
		for (int w = 0; w < WORDS; w++)
			printf(" %08x", normal(e->word[w]));
		for (int p = 0; p < players; p++)
			printf(" %d%c", e->seen[p].priority, e->seen[p].state);
		putchar('\n');
	}
	fflush(stdout);
}

static void parse(char *line)
{
	char *programs = strchr(line, '/');
	char *save, *item;

	if (programs == NULL)
		fail("bad line");
	*programs++ = '\0';
	for (item = strtok_r(line, ",", &save); item != NULL; item = strtok_r(NULL, ",", &save)) {
		if (players == THREADS)
			fail("too many threads");
		player[players++].priority = atoi(item);
	}
	item = programs;
	for (int i = 0; i < players; i++) {
		char *next = strchr(item, ',');

		if (next != NULL)
			*next = '\0';
		if (strlen(item) >= PROGRAM)
			fail("program too long");
		memcpy(player[i].program, item, strlen(item) + 1);
		item = next == NULL ? item + strlen(item) : next + 1;
	}
}

static void perform_line(char *line)
{
	char path[64];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	parse(line);
	for (int i = 0; i < players; i++)
		start(&player[i].thread, announce, &player[i], player[i].priority);
	settle();
	for (int i = 0; i < players; i++) {
		snprintf(path, sizeof(path), "/proc/self/task/%u/stat", player[i].tid);
		player[i].stat_fd = open(path, O_RDONLY | O_CLOEXEC);
		if (player[i].stat_fd < 0)
			fail(path);
	}
	raise_flag(&player[0].started);
	settle();
	record(-1, 0, 0);
	print_events();
	_exit(0);
}

/* Take the last allowed CPU. The conductor must outrank all players. */
static void take_cpu(void)
{
	struct sched_param param = { .sched_priority = PRIORITY_CONDUCTOR };
	cpu_set_t all, one;

	if (sched_getaffinity(0, sizeof(all), &all) != 0)
		fail("sched_getaffinity");
	CPU_ZERO(&one);
	for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--) {
		if (!CPU_ISSET((size_t)cpu, &all))
			continue;
		CPU_SET((size_t)cpu, &one);
		break;
	}
	if (sched_setaffinity(0, sizeof(one), &one) != 0)
		fail("sched_setaffinity");
	if (sched_setscheduler(0, SCHED_FIFO, &param) != 0)
		fail("SCHED_FIFO (needs CAP_SYS_NICE or RLIMIT_RTPRIO)");
}

static bool run_child(char *line)
{
	struct timespec limit = { .tv_sec = LIMIT_S };
	sigset_t set;
	int status;
	pid_t child;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fflush(stdout);
	child = fork();
	if (child < 0)
		fail("fork");
	if (child == 0) {
		if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
			fail("mlockall (needs CAP_IPC_LOCK or RLIMIT_MEMLOCK)");
		take_cpu();
		perform_line(line);
	}
	if (sigtimedwait(&set, NULL, &limit) < 0)
		kill(child, SIGKILL);
	status = plf_release(child);
	if (status < 0)
		fail("waitpid");
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(void)
{
	char line[256];

	errno = plf_bound_real_time(LIMIT_US);
	if (errno != 0)
		fail("RLIMIT_RTTIME");
	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		printf("# %s\n", line);
		if (!run_child(line))
			fail("a sequence failed or took too long");
	}
	return 0;
}
