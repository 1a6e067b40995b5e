/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Servers on a stock kernel: when their threads run, whatever these threads do. */
#include "two_servers.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

/* The part of a stretch that lies in no window. */
static uint64_t outside(const struct timeline *line, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t inside_ns = 0;

	for (size_t i = 0; i < line->count; i++) {
		uint64_t begin = from_ns > line->gets_ns[i] ? from_ns : line->gets_ns[i];
		uint64_t end = to_ns < line->loses_ns[i] ? to_ns : line->loses_ns[i];

		inside_ns += end > begin ? end - begin : 0;
	}
	return to_ns - from_ns - inside_ns;
}

static uint64_t ran_ns(const struct greedy *g)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < g->count; i++)
		sum += g->to_ns[i] - g->from_ns[i];
	return sum;
}

static uint64_t ran_outside_ns(const struct greedy *g, const struct timeline *line)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < g->count; i++)
		sum += outside(line, g->from_ns[i], g->to_ns[i]);
	return sum;
}

/* How late a switch may be: as late as the manager was, and the time that the switch takes. */
static uint64_t lateness_ns(void)
{
	return latest_ns(&second) + 200000;
}

static void claim_kept(const struct greedy *g, const struct timeline *line)
{
	claim(ran_outside_ns(g, line) <= (2 * line->count + 2) * lateness_ns());
}

/*
 * The thread had nearly all of that number of windows, from the first; the machine takes some time.
 */
static void claim_had(const struct greedy *g, const struct timeline *line, uint64_t windows,
		      uint64_t ms)
{
	lateness(g->from_ns[0] - line->gets_ns[0]);
	claim_in_time(ran_ns(g) >= windows * ms * MS * 8 / 10);
}

/* ---- Budgets ----------------------------------------------------------- */

/* A server alone on its CPU. Its thread gets at most a twentieth of the rest of the CPU. */
static void greedy_thread_gets_its_budget(void)
{
	static struct greedy g;
	struct member member;
	uint64_t free_ns;

	begin_ns = plf_now() + 10 * MS;
	open_server(&second, &of_second, OF_SECOND, 5, PLF_SERVER_IDLING);
	join_greedy(&member, &g, &second, 1, at(5, 0));
	join(&member);
	free_ns = 5 * (PERIOD_MS - 5) * MS;
	claim_had(&g, &of_second, 5, 5);
	claim(ran_outside_ns(&g, &of_second) < free_ns / 20 + 7 * lateness_ns());
	claim(of_second.gets_ns[4] == at(4, 0));
	claim(of_second.loses_ns[4] == at(4, 5));
	latest_ns(&second);
	assert_ok(plf_server_destroy(&second));
}

static void two_greedy_servers_share_the_cpu(void)
{
	static struct greedy a, b;
	struct member of_a, of_b;

	join_greedy(&of_a, &a, &first, 1, at(5, 0));
	join_greedy(&of_b, &b, &second, 3, at(5, 0));
	join(&of_a);
	join(&of_b);
	claim_kept(&a, &of_first);
	claim_kept(&b, &of_second);
	claim_had(&a, &of_first, 5, FIRST_MS);
	claim_had(&b, &of_second, 5, SECOND_MS);
}

static void empty_server_burns_its_budget(void)
{
	static struct greedy b;
	struct member of_b;

	join_greedy(&of_b, &b, &second, 1, at(5, 0));
	join(&of_b);
	claim_kept(&b, &of_second);
	claim_had(&b, &of_second, 5, SECOND_MS);
	claim(of_first.depleted >= 4);
}

static void periods_do_not_drift(void)
{
	sleep_until(at(15, 1));
	for (uint64_t i = 0; i < 15; i++) {
		claim(of_first.gets_ns[i] == at(i, 0));
		claim(of_second.gets_ns[i] == at(i, FIRST_MS));
	}
}

static void stats_are_of_the_manager(void)
{
	struct plf_server_stats stats;

	sleep_until(at(3, FIRST_MS + 1));
	assert_ok(plf_server_get_stats(&first, &stats));
	claim(stats.left_ns == 0);
	assert_ok(plf_server_get_stats(&second, &stats));
	claim_in_time(stats.left_ns > 0);
	claim(stats.left_ns < (SECOND_MS - 1) * MS + MS / 2);
	claim(stats.decisions >= 7);
	claim(stats.manager_ns > 0);
	claim(stats.priority_changes == 0); /* no thread exists */
}

static void begin_puts_all_periods_off(void)
{
	struct plf_server_stats stats;
	uint64_t later_ns = at(4, 3);

	assert_ok(plf_server_begin(&second, later_ns));
	assert_ok(plf_server_get_stats(&second, &stats));
	claim(stats.left_ns == 0);
	sleep_until(at(5, 0));
	claim(of_second.gets_ns[0] == at(4, FIRST_MS));
	claim(of_second.replenished == 1);
}

static void join_second(void *joined_ns)
{
	assert_ok(plf_server_join(&second, 1));
	*(uint64_t *)joined_ns = plf_now();
}

/*
 * The other server has the CPU, but nothing to run. The gate of a new server is shut from the
 * beginning.
 */
static void new_server_waits_for_its_turn(void)
{
	struct member member;
	uint64_t joined_ns = 0;

	begin_ns = plf_now() + 10 * MS;
	open_server(&first, &of_first, OF_FIRST, FIRST_MS, PLF_SERVER_IDLING);
	sleep_until(at(1, 2));
	assert_ok(plf_server_init(&second, 0, OF_SECOND, PERIOD_MS * MS, MS, PLF_SERVER_IDLING));
	start_stranger(&member, MAIN + 1, join_second, &joined_ns);
	join(&member);
	claim(joined_ns >= at(1, FIRST_MS));
	claim_in_time(joined_ns < at(1, FIRST_MS + 1));
	close_two();
}

/* ---- Threads ----------------------------------------------------------- */

struct sleeper {
	plf_server_t *server;
	int local_priority;
	uint64_t until_ns, woke_ns;
	bool is_raw;
	char name;
};

static void sleep_once(void *argument)
{
	struct sleeper *s = argument;
	struct timespec until = { .tv_sec = (time_t)(s->until_ns / 1000000000),
				  .tv_nsec = (long)(s->until_ns % 1000000000) };

	assert_ok(plf_server_join(s->server, s->local_priority));
	if (s->is_raw)
		assert_ok(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL));
	else
		assert_ok(plf_sleep_until(s->until_ns));
	s->woke_ns = plf_now();
	note(s->name);
}

static void claim_woke_in_window(const struct sleeper *s, uint64_t window_ns)
{
	claim(s->woke_ns >= window_ns);
	claim_in_time(s->woke_ns < window_ns + 5 * MS);
}

/*
 * A thread of the first server is asleep when the budget ends. It wakes up in the second server's
 * time.
 */
static void sleeper_stops_at_the_gate(void)
{
	static struct greedy b;
	struct sleeper s = { .server = &first, .local_priority = 2 };
	struct member of_b, sleeper;

	s.until_ns = at(2, FIRST_MS + 3);
	start_stranger(&sleeper, MAIN + 1, sleep_once, &s);
	join_greedy(&of_b, &b, &second, 1, at(4, 0));
	sleep_until(at(2, FIRST_MS + 2));
	claim(sched_getscheduler(sleeper.tid) == SCHED_FIFO); /* not parked */
	sleep_until(at(2, FIRST_MS + 5));
	claim(sched_getscheduler(sleeper.tid) == SCHED_FIFO);
	claim(is_asleep(sleeper.tid));
	join(&sleeper);
	claim_woke_in_window(&s, at(3, 0));
	join(&of_b);
	claim_kept(&b, &of_second);
}

/*
 * The library does not know that the thread sleeps. So it is parked at once, and wakes up parked.
 */
static void raw_sleeper_is_parked(void)
{
	static struct greedy b;
	struct sleeper s = { .server = &first, .local_priority = 2, .is_raw = true };
	struct member of_b, sleeper;

	s.until_ns = at(2, FIRST_MS + 3);
	start_stranger(&sleeper, MAIN + 1, sleep_once, &s);
	join_greedy(&of_b, &b, &second, 1, at(4, 0));
	sleep_until(at(2, FIRST_MS + 2));
	claim(sched_getscheduler(sleeper.tid) == SCHED_IDLE);
	join(&sleeper);
	claim_woke_in_window(&s, at(3, 0));
	join(&of_b);
	claim_kept(&b, &of_second);
}

/*
 * The time that the idler executes while the second server, which has nothing to run, has the CPU.
 */
static uint64_t idled_ns(bool is_raw)
{
	struct sleeper s = { .server = &first, .local_priority = 2, .is_raw = is_raw };
	struct member sleeper;
	uint64_t before_ns, idled_ns;
	int idler;

	s.until_ns = at(3, 1);
	start_stranger(&sleeper, MAIN + 1, sleep_once, &s);
	sleep_until(at(2, FIRST_MS + 1));
	idler = thread_within(1, OF_FIRST); /* below all server threads */
	before_ns = executed_ns(idler);
	sleep_until(at(2, PERIOD_MS - 1));
	idled_ns = executed_ns(idler) - before_ns;
	join(&sleeper);
	return idled_ns;
}

/* The library takes the sleeper for a ready thread, so the idler keeps the CPU for it. */
static void idler_stands_for_a_raw_sleeper(void)
{
	claim_in_time(idled_ns(true) > (SECOND_MS - 2) * MS * 8 / 10);
}

static void nothing_stands_for_a_sleeper(void)
{
	claim(idled_ns(false) == 0);
}

static void post_later(void *argument)
{
	sleep_until(at(2, FIRST_MS + 3));
	assert_ok(plf_sem_post(argument));
}

static void wait_for_post(void *sem)
{
	assert_ok(plf_server_join(&first, 1));
	assert_ok(plf_sem_wait(sem));
	claim(plf_now() >= at(3, 0));
	assert_ok(plf_sem_timedwait(sem, at(5, FIRST_MS + 3)) == ETIMEDOUT ? 0 : 1);
	claim(plf_now() >= at(6, 0));
}

static void semaphore_waits_stop_at_the_gate(void)
{
	struct member waiter, poster;
	plf_sem_t sem;

	assert_ok(plf_sem_init(&sem, 0));
	start_stranger(&waiter, MAIN + 1, wait_for_post, &sem);
	start_stranger(&poster, MAIN - 1, post_later, &sem);
	sleep_until(at(2, FIRST_MS + 2));
	claim(sched_getscheduler(waiter.tid) == SCHED_FIFO);
	sleep_until(at(4, FIRST_MS + 2));
	claim(sched_getscheduler(waiter.tid) == SCHED_FIFO);
	join(&poster);
	join(&waiter);
}

static plf_mutex_t mutex;
static plf_cond_t cond;

static void wait_for_signal(void *unused)
{
	(void)unused;
	assert_ok(plf_server_join(&first, 2));
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(plf_cond_timedwait(&cond, &mutex, at(2, FIRST_MS + 3)), ETIMEDOUT);
	claim(plf_now() >= at(3, 0));
	assert_ok(plf_mutex_unlock(&mutex));
}

static void condition_wait_stops_at_the_gate(void)
{
	struct member waiter;

	assert_ok(plf_mutex_init(&mutex, 2));
	plf_cond_init(&cond);
	start_stranger(&waiter, MAIN + 1, wait_for_signal, NULL);
	sleep_until(at(2, FIRST_MS + 2));
	claim(sched_getscheduler(waiter.tid) == SCHED_FIFO);
	join(&waiter);
}

/*
 * Several threads leave a gate by priority. Threads of the same priority leave in the order of
 * arrival.
 */
static void gate_keeps_the_order(void)
{
	struct sleeper s[3] = { { .name = 'a', .local_priority = 1 },
				{ .name = 'b', .local_priority = 1 },
				{ .name = 'c', .local_priority = 2 } };
	struct member member[3];

	for (size_t i = 0; i < 3; i++) {
		s[i].server = &first;
		s[i].until_ns = at(2, FIRST_MS + 2 * i + 1);
		start_stranger(&member[i], MAIN + 1, sleep_once, &s[i]);
	}
	for (size_t i = 0; i < 3; i++)
		join(&member[i]);
	claim(strcmp(notes(), "cab") == 0);
}

/*
 * Both threads are ready when the budget ends. The thread that joined first goes first in the next
 * budget.
 */
static void threads_of_one_priority_come_back_in_the_order_of_joining(void)
{
	static struct greedy a, b;
	struct member of_a, of_b;

	join_greedy(&of_a, &a, &first, 1, at(4, 0));
	sleep_until(at(1, 2)); /* b has the first window of both, from here */
	join_greedy(&of_b, &b, &first, 1, at(4, 0));
	join(&of_a);
	join(&of_b);
	claim_in_time(b.from_ns[0] < at(1, FIRST_MS));
	claim_in_time(a.to_ns[a.count - 1] > at(3, 0));
	for (size_t i = 0; i < b.count; i++)
		claim(b.to_ns[i] < at(2, 0) || b.from_ns[i] >= at(3, FIRST_MS));
}

/*
 * Three threads of one priority. One ran when the budget ended; two had woken up behind it before.
 */
static void threads_that_woke_up_come_behind_the_one_that_ran(void)
{
	static struct greedy a;
	struct sleeper s[2] = { { .server = &first, .local_priority = 1, .name = 'b' },
				{ .server = &first, .local_priority = 1, .name = 'c' } };
	struct member member[2], of_a;

	for (size_t i = 0; i < 2; i++) {
		s[i].until_ns = at(2, 2 * i + 2);
		start_stranger(&member[i], MAIN + 1, sleep_once, &s[i]);
	}
	sleep_until(at(1, 2)); /* both sleep */
	join_greedy(&of_a, &a, &first, 1, at(3, 4));
	join(&of_a);
	for (size_t i = 0; i < 2; i++)
		join(&member[i]);
	claim_in_time(a.from_ns[0] < at(2, 2));
	claim(s[0].woke_ns >= at(3, 4));
	claim(strcmp(notes(), "bc") == 0);
}

/* ---- Sections ---------------------------------------------------------- */

static uint64_t section_end_ns;

static void hold_over_the_end(void *argument)
{
	struct greedy *g = argument;
	uint64_t now_ns;

	assert_ok(plf_server_join(&first, 1));
	assert_ok(plf_sleep_until(at(2, 2)));
	assert_ok(plf_mutex_lock(&mutex));
	while ((now_ns = plf_now()) < g->end_ns)
		note_time(g, now_ns);
	note('u');
	section_end_ns = plf_now();
	assert_ok(plf_mutex_unlock(&mutex));
	note('l');
}

static void run_over_a_section(const struct sleeper *waiter_of)
{
	static struct greedy a, b;
	struct sleeper waiter = *waiter_of;
	struct member holder, of_b, member;

	assert_ok(plf_mutex_init(&mutex, 2));
	a = (struct greedy) { .end_ns = at(3, 2) };
	start_stranger(&holder, MAIN + 1, hold_over_the_end, &a);
	start_stranger(&member, MAIN + 1, sleep_once, &waiter);
	join_greedy(&of_b, &b, &second, 1, at(4, 0));
	join(&holder);
	join(&member);
	join(&of_b);
	claim_kept(&a, &of_first);
	claim_kept(&b, &of_second);
	claim_had(&b, &of_second, 4, SECOND_MS);
	claim(waiter.woke_ns >= section_end_ns);
	claim(strcmp(notes(), "uwl") == 0);
}

/* The waiter is parked with the holder, to which it would otherwise lend its priority. */
static void section_is_suspended_with_its_waiter(void)
{
	struct sleeper waiter = {
		.server = &first, .local_priority = 2, .until_ns = at(2, 4), .name = 'w'
	};

	run_over_a_section(&waiter);
}

/* The waiter wakes up while its server is out, so it stops at the gate first. */
static void sleeper_lends_nothing_to_a_section(void)
{
	struct sleeper waiter = {
		.server = &first, .local_priority = 2, .until_ns = at(2, FIRST_MS + 3), .name = 'w'
	};

	run_over_a_section(&waiter);
}

static void lock_of_two_servers(void *argument)
{
	assert_ok(plf_server_join(argument, 1));
	note((char)('a' + plf_mutex_lock(&mutex)));
}

static void mutex_belongs_to_a_server(void)
{
	struct member member;
	const char found[] = { 'a', 'a' + EXDEV, 0 };

	assert_ok(plf_mutex_init(&mutex, 5));
	start_stranger(&member, MAIN + 1, lock_of_two_servers, &first);
	join(&member); /* its thread ends inside */
	assert_ok(plf_mutex_destroy(&mutex) == EBUSY ? 0 : 1);
	start_stranger(&member, MAIN + 1, lock_of_two_servers, &second);
	join(&member);
	assert_string_equal(notes(), found);
}

/* ---- Ends -------------------------------------------------------------- */

static void join_and_vanish(void *server)
{
	assert_ok(plf_server_join(server, 1));
	vanish();
}

static void thread_that_vanished_is_no_member(void)
{
	struct member member;

	start_stranger(&member, MAIN + 1, join_and_vanish, &first);
	join(&member); /* close_two() destroys the server before a decision */
}

static void join_and_detach(void *server)
{
	assert_ok(plf_server_join(server, 3));
	assert_ok(plf_detach());
	assert_int_equal(kernel_priority(gettid()), OF_FIRST + 3);
	assert_int_equal(plf_wake_hook(), EPERM);
}

static void thread_leaves_by_detach(void)
{
	struct member member;

	start_stranger(&member, MAIN + 1, join_and_detach, &first);
	join(&member);
}

static void live_on_without_servers(void)
{
	plf_server_t own;

	if (plf_wake_hook() != 0 || plf_server_begin(&first, begin_ns) != EINVAL ||
	    plf_server_init(&own, 0, OF_FIRST, 10 * MS, 10 * MS, PLF_SERVER_IDLING) != 0 ||
	    plf_mutex_unlock(&mutex) != 0 || plf_detach() != 0 || plf_server_join(&own, 1) != 0 ||
	    plf_sleep_until(plf_now() + MS) != 0)
		_exit(1);
	_exit(0);
}

static void join_and_fork(void *status)
{
	assert_ok(plf_server_join(&first, 1));
	assert_ok(plf_mutex_init(&mutex, 1));
	assert_ok(plf_mutex_lock(&mutex));
	*(int *)status = in_child(live_on_without_servers);
	assert_ok(plf_mutex_unlock(&mutex));
}

static void child_of_fork_has_no_servers(void)
{
	struct member member;
	int status = -1;

	start_stranger(&member, MAIN + 1, join_and_fork, &status);
	join(&member);
	assert_int_equal(status, 0);
}

static int all(void)
{
	const struct CMUnitTest tests[] = {
		one_server(greedy_thread_gets_its_budget),
		two_servers(two_greedy_servers_share_the_cpu),
		two_servers(empty_server_burns_its_budget),
		two_servers(periods_do_not_drift),
		two_servers(stats_are_of_the_manager),
		two_servers(begin_puts_all_periods_off),
		one_server(new_server_waits_for_its_turn),
		two_servers(sleeper_stops_at_the_gate),
		two_servers(raw_sleeper_is_parked),
		two_servers(idler_stands_for_a_raw_sleeper),
		two_servers(nothing_stands_for_a_sleeper),
		two_servers(semaphore_waits_stop_at_the_gate),
		two_servers(condition_wait_stops_at_the_gate),
		two_servers(gate_keeps_the_order),
		two_servers(threads_of_one_priority_come_back_in_the_order_of_joining),
		two_servers(threads_that_woke_up_come_behind_the_one_that_ran),
		two_servers(section_is_suspended_with_its_waiter),
		two_servers(sleeper_lends_nothing_to_a_section),
		two_servers(mutex_belongs_to_a_server),
		two_servers(thread_that_vanished_is_no_member),
		two_servers(thread_leaves_by_detach),
		two_servers(child_of_fork_has_no_servers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, all);
}
