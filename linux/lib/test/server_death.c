/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Servers on a stock kernel: the effects of the end of their process or their manager. */
#include "two_servers.h"

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static int manager_tid(void)
{
	return thread_within(PLF_SERVER_MANAGER, PLF_SERVER_MANAGER);
}

static void send(int tid, int signal)
{
	assert_ok((int)syscall(SYS_tgkill, getpid(), tid, signal));
}

/* ---- The process ------------------------------------------------------- */

/* A process with servers, and the moment at which it is killed. */
struct killed {
	uint64_t ms; /* within the third period */
	bool has_one;
	bool by_manager; /* the signal goes only to the manager */
};

static const struct killed *killed;

static void take_all_and_be_killed(void)
{
	static struct greedy a, b;
	struct member of_a, of_b;

	begin_ns = plf_now() + 10 * MS;
	open_server(&first, &of_first, OF_FIRST, FIRST_MS, PLF_SERVER_IDLING);
	join_greedy(&of_a, &a, &first, 1, UINT64_MAX);
	if (!killed->has_one) {
		open_server(&second, &of_second, OF_SECOND, SECOND_MS, PLF_SERVER_IDLING);
		join_greedy(&of_b, &b, &second, 1, UINT64_MAX);
	}
	sleep_until(at(2, killed->ms));
	send(killed->by_manager ? manager_tid() : gettid(), SIGKILL);
	sleep_until(at(4, 0));
}

static void run_last(void *has_run)
{
	sched_yield(); /* behind all other threads of the lowest priority */
	*(volatile bool *)has_run = true;
}

/* A thread that any leftover real-time thread would keep out runs. Main has its old priority. */
static void assert_nothing_is_left(void)
{
	volatile bool has_run = false;
	struct member member;
	uint64_t dead_ns = plf_now();

	assert_int_equal(kernel_priority(gettid()), MAIN);
	start_stranger(&member, 1, run_last, (void *)&has_run);
	while (!has_run && plf_now() - dead_ns < 1000 * MS)
		sleep_ms(1);
	assert_true(has_run);
	join(&member);
}

static void assert_leaves_nothing(const struct killed *how)
{
	killed = how;
	assert_int_equal(in_child(take_all_and_be_killed), 128 + SIGKILL);
	assert_nothing_is_left();
}

/* Killed while the first or the second server has the CPU, and while the idler uses it up. */
static void killed_process_leaves_nothing(void)
{
	const struct killed at_ms[] = { { 2, false, false },
					{ FIRST_MS + 2, false, false },
					{ FIRST_MS + 2, true, false } };

	for (size_t i = 0; i < sizeof(at_ms) / sizeof(at_ms[0]); i++)
		assert_leaves_nothing(&at_ms[i]);
}

/* ---- The manager ------------------------------------------------------- */

static void killed_manager_takes_the_process_with_it(void)
{
	const struct killed how = { FIRST_MS + 2, false, true };

	assert_leaves_nothing(&how);
}

static volatile sig_atomic_t handled;

static void note_signal(int signal)
{
	(void)signal;
	handled = gettid();
}

/* A signal that would end the process, and a signal that has a handler. */
static void no_other_signal_comes_to_the_manager(void)
{
	const struct sigaction handler = { .sa_handler = note_signal };
	struct sigaction before;
	int manager = manager_tid();

	handled = 0;
	assert_ok(sigaction(SIGUSR1, &handler, &before));
	send(manager, SIGUSR1);
	send(manager, SIGTERM);
	sleep_until(at(4, 1));
	assert_int_equal(handled, 0);
	claim(of_first.count == 5);
	claim(of_first.gets_ns[4] == at(4, 0));
	assert_ok(sigaction(SIGUSR1, &before, NULL));
}

static bool is_ready;	  /* both servers have their threads */
static uint64_t ended_ns; /* when the manager ended: at the begin of a period of `first` */

static void end_the_manager(void *unused, enum plf_server_event event, uint64_t time_ns)
{
	(void)unused;
	if (event != PLF_SERVER_REPLENISHED || !__atomic_load_n(&is_ready, __ATOMIC_SEQ_CST))
		return;
	__atomic_store_n(&ended_ns, time_ns, __ATOMIC_SEQ_CST);
	vanish();
}

/* When the thread ran last. */
static uint64_t last_ns(const struct greedy *g)
{
	return g->count > 0 ? g->to_ns[g->count - 1] : 0;
}

static bool still_has_it(const struct timeline *line)
{
	return line->count > 0 && line->loses_ns[line->count - 1] == UINT64_MAX;
}

/* Once the second server has the CPU, no budget ends any more, because the manager is gone. */
static void lose_the_manager(void)
{
	static struct greedy a, b;
	struct member of_a, of_b;

	begin_ns = plf_now() + 10 * MS;
	open_server(&first, &of_first, OF_FIRST, FIRST_MS, PLF_SERVER_IDLING);
	open_server(&second, &of_second, OF_SECOND, SECOND_MS, PLF_SERVER_IDLING);
	assert_ok(plf_server_watch(&first, end_the_manager, NULL));
	join_greedy(&of_a, &a, &first, 1, UINT64_MAX);
	join_greedy(&of_b, &b, &second, 1, UINT64_MAX);
	while (a.count == 0 || b.count == 0)
		sleep_ms(1);
	__atomic_store_n(&is_ready, true, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&ended_ns, __ATOMIC_SEQ_CST) == 0)
		sleep_ms(1);
	while (last_ns(&b) < ended_ns + (PERIOD_MS + FIRST_MS) * MS)
		sleep_ms(1);
	_exit(last_ns(&a) < ended_ns && still_has_it(&of_second) ? 0 : 1);
}

static void server_keeps_the_cpu_without_a_manager(void)
{
	assert_int_equal(in_child(lose_the_manager), 0);
	assert_nothing_is_left();
}

static int all(void)
{
	const struct CMUnitTest tests[] = {
		one_server(killed_process_leaves_nothing),
		one_server(killed_manager_takes_the_process_with_it),
		two_servers(no_other_signal_comes_to_the_manager),
		one_server(server_keeps_the_cpu_without_a_manager),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, all);
}
