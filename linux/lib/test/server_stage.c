/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "server_stage.h"

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TEXT = 1024, MOST_THREADS = 16, LOOKS = 20 };

plf_server_t first, second;
uint64_t begin_ns;

/* ---- Events ---------------------------------------------------------------- */

static char text[TEXT];
static size_t length;

/* Write the time in milliseconds; a fraction has nanoseconds. */
void write_down(void *name, enum plf_server_event event, uint64_t time_ns)
{
	uint64_t ns = time_ns - begin_ns;

	length += (size_t)snprintf(text + length, TEXT - length, "%c%c%llu", *(const char *)name,
				   "RDGLOPK"[event], (unsigned long long)(ns / MS));
	if (ns % MS != 0)
		length += (size_t)snprintf(text + length, TEXT - length, ".%06llu",
					   (unsigned long long)(ns % MS));
	length += (size_t)snprintf(text + length, TEXT - length, " ");
	assert_true(length < TEXT);
}

void expect_events(const char *expected)
{
	assert_string_equal(text, expected);
	length = 0;
	text[0] = '\0';
}

/* ---- Time ------------------------------------------------------------------ */

uint64_t at(uint64_t ms)
{
	return begin_ns + ms * MS;
}

void be_at(uint64_t ms)
{
	go_to(at(ms));
}

/* ---- Threads of the process ------------------------------------------------ */

/* The process's threads, and their number. */
static size_t threads(int *tid, size_t room)
{
	DIR *tasks = opendir("/proc/self/task");
	size_t count = 0;

	assert_non_null(tasks);
	for (struct dirent *entry; (entry = readdir(tasks)) != NULL;)
		if (entry->d_name[0] != '.') {
			if (count < room)
				tid[count] = atoi(entry->d_name);
			count++;
		}
	closedir(tasks);
	return count;
}

void await_threads(size_t count)
{
	while (threads(NULL, 0) != count)
		sleep_ms(1);
}

int manager, idler;

void find_manager(void)
{
	int tid[3];

	assert_int_equal(threads(tid, 3), 3);
	for (size_t i = 0; i < 3; i++)
		if (kernel_priority(tid[i]) == PLF_SERVER_MANAGER)
			manager = tid[i];
		else if (tid[i] != getpid())
			idler = tid[i];
}

void expect_priority(int tid, int priority)
{
	assert_int_equal(sched_getscheduler(tid), priority == 0 ? SCHED_IDLE : SCHED_FIFO);
	assert_int_equal(kernel_priority(tid), priority);
}

void expect_idler(int priority)
{
	expect_priority(idler, priority);
	count_readings(idler);
	while (readings() < 2)
		sleep_ms(1);
	assert_false(is_asleep(idler));
}

/* An idler that goes on looking at the clock never falls asleep, because the clock stands. */
void await_idler_asleep(void)
{
	count_readings(idler);
	while (!is_asleep(idler)) {
		assert_true(readings() < 3);
		sleep_ms(1);
	}
}

/* A thread that has just ended counts as asleep. */
static bool does_sleep(int tid)
{
	char name[64], line[512] = "";
	FILE *file;

	snprintf(name, sizeof(name), "/proc/self/task/%d/stat", tid);
	file = fopen(name, "re");
	if (file == NULL)
		return true;
	if (fgets(line, sizeof(line), file) == NULL || strrchr(line, ')') == NULL)
		line[0] = '\0';
	fclose(file);
	return line[0] == '\0' || strchr("SZX", strrchr(line, ')')[2]) != NULL;
}

/* Except main, and the idler, which does nothing for other threads. */
static bool do_all_sleep(void)
{
	int tid[MOST_THREADS];
	size_t count = threads(tid, MOST_THREADS);

	for (size_t i = 0; i < count; i++)
		if (tid[i] != getpid() && tid[i] != idler && !does_sleep(tid[i]))
			return false;
	return true;
}

/* Fail after many looks: the time stands, so nothing wakes the sleepers any more. */
void look_for_stall(unsigned *looks)
{
	*looks = do_all_sleep() ? *looks + 1 : 0;
	assert_true(*looks < LOOKS);
	sleep_ms(1);
}

/* ---- Actors ---------------------------------------------------------------- */

bool is_done(const struct actor *a)
{
	return __atomic_load_n(&a->done, __ATOMIC_SEQ_CST) == a->ordered;
}

void await(const struct actor *a)
{
	unsigned looks = 0;

	while (!is_done(a))
		look_for_stall(&looks);
}

void await_member_asleep(const struct actor *a)
{
	await_asleep(&a->member);
	assert_false(is_done(a));
}

static void act(void *argument)
{
	struct actor *a = argument;

	a->found = plf_server_join(a->server, a->local_priority);
	do {
		__atomic_fetch_add(&a->done, 1, __ATOMIC_SEQ_CST);
		while (sem_wait(&a->orders) != 0)
			;
		if (a->step != NULL)
			a->step(a);
	} while (a->step != NULL);
}

void enter(struct actor *a, plf_server_t *server, int local_priority)
{
	*a = (struct actor) { .server = server, .local_priority = local_priority, .ordered = 1 };
	sem_init(&a->orders, 0, 0);
	start_stranger(&a->member, MAIN + 1, act, a);
}

void order(struct actor *a, void (*step)(struct actor *))
{
	a->step = step;
	a->ordered++;
	sem_post(&a->orders);
}

/* The step needs no wait, so it ends. */
void have(struct actor *a, void (*step)(struct actor *))
{
	order(a, step);
	await(a);
}

void have_ok(struct actor *a, void (*step)(struct actor *))
{
	have(a, step);
	assert_ok(a->found);
}

void join_in(struct actor *a, plf_server_t *server, int local_priority)
{
	enter(a, server, local_priority);
	await(a);
	assert_ok(a->found);
}

void raise_member(const struct member *member)
{
	struct sched_param param = { .sched_priority = MAIN + 1 };

	assert_ok(sched_setscheduler(member->tid, SCHED_FIFO, &param));
}

void raise_above_all(const struct actor *a)
{
	raise_member(&a->member);
}

void leave_step(struct actor *a)
{
	a->found = plf_detach();
}

/*
 * The thread ends whatever its server has: even a parked thread, which gets its own priority back.
 */
void finish(struct actor *a)
{
	raise_above_all(a);
	order(a, leave_step);
	raise_above_all(a);
	order(a, NULL);
	join(&a->member);
}

static void vanish_step(struct actor *a)
{
	(void)a;
	vanish();
}

void be_dead(struct actor *a)
{
	order(a, vanish_step);
	join(&a->member);
}

static uint32_t signals;

static void count_signal(int signal)
{
	(void)signal;
	__atomic_fetch_add(&signals, 1, __ATOMIC_SEQ_CST);
}

void interrupt(const struct actor *a)
{
	const struct sigaction action = { .sa_handler = count_signal };
	uint32_t before = signals;

	assert_ok(sigaction(SIGUSR1, &action, NULL));
	assert_ok(pthread_kill(a->member.thread, SIGUSR1));
	while (__atomic_load_n(&signals, __ATOMIC_SEQ_CST) == before)
		sleep_ms(1);
	await_member_asleep(a);
}

static void sleep_step(struct actor *a)
{
	a->found = plf_sleep_until(a->until_ns);
}

void fall_asleep(struct actor *a, uint64_t ms)
{
	a->until_ns = at(ms);
	order(a, sleep_step);
	await_member_asleep(a);
}

/* ---- Servers --------------------------------------------------------------- */

void open_server(plf_server_t *server, const char *name, int priority, uint64_t ms, int policy)
{
	assert_ok(plf_server_init(server, 0, priority, PERIOD * MS, ms * MS, policy));
	assert_ok(plf_server_begin(server, begin_ns));
	assert_ok(plf_server_watch(server, write_down, (void *)(uintptr_t)name));
}

int be_main(void **state)
{
	struct sched_param param = { .sched_priority = MAIN };
	cpu_set_t set;

	(void)state;
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	length = 0;
	text[0] = '\0';
	begin_ns = plf_now() + 100 * MS;
	return sched_setaffinity(0, sizeof(set), &set) != 0 ||
	       sched_setscheduler(0, SCHED_FIFO, &param) != 0;
}

void open_two(int policy)
{
	open_server(&first, "1", FIRST, FIRST_MS, policy);
	find_manager();
	open_server(&second, "2", SECOND, SECOND_MS, policy);
	be_at(0);
	expect_events("1R0 2R0 1G0 ");
}

void open_apart(int policy)
{
	open_two(policy);
	assert_ok(plf_server_begin(&second, at(25)));
	be_at(25);
	expect_events("1D16 1L16 2R25 2G25 ");
}

void close_two(void)
{
	assert_ok(plf_server_destroy(&first));
	assert_ok(plf_server_destroy(&second));
	await_threads(1);
}

struct plf_server_stats stats_of(const plf_server_t *server)
{
	struct plf_server_stats stats;

	assert_ok(plf_server_get_stats(server, &stats));
	return stats;
}
