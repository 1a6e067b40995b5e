/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Resources of several servers on a stock kernel: overrun, payback, skipping, and servers that are
 * kept out.
 */
#include "two_servers.h"

#include <sched.h>
#include <unistd.h>

static plf_shared_t shared, other;

/* Number of threads inside a section now. `was_broken` stays true once two were inside. */
static int inside;
static bool was_broken;

/* A thread that wants the section at lock_ns, and stays in it until unlock_ns. */
struct user {
	plf_server_t *server;
	int local_priority;
	uint64_t lock_ns, unlock_ns;
	uint64_t entered_ns, left_ns;
	int found;
	bool dies;
	struct greedy ran; /* when it ran inside */
};

static void stay_inside(struct user *u)
{
	uint64_t now_ns;

	was_broken = was_broken || inside != 0;
	inside++;
	while ((now_ns = plf_now()) < u->unlock_ns)
		note_time(&u->ran, now_ns);
	inside--;
}

static void use_once(void *argument)
{
	struct user *u = argument;

	assert_ok(plf_server_join(u->server, u->local_priority));
	assert_ok(plf_sleep_until(u->lock_ns));
	u->found = plf_shared_lock(&shared);
	u->entered_ns = plf_now();
	if (u->dies)
		vanish();
	stay_inside(u);
	assert_ok(plf_shared_unlock(&shared));
	u->left_ns = plf_now();
	note('0' + (char)u->local_priority);
}

static void start_user(struct member *member, struct user *u, plf_server_t *server,
		       uint64_t lock_ns, uint64_t unlock_ns)
{
	u->server = server;
	u->local_priority = u->local_priority == 0 ? 1 : u->local_priority;
	u->lock_ns = lock_ns;
	u->unlock_ns = unlock_ns;
	u->ran.count = 0;
	start_stranger(member, MAIN + 1, use_once, u);
}

/* Policy, budget and longest section are the second server's. The first server skips. */
static void open_sharers(int policy, uint64_t ms, uint64_t hold_ms)
{
	begin_ns = plf_now() + 10 * MS;
	inside = 0;
	was_broken = false;
	forget_notes();
	open_server(&first, &of_first, OF_FIRST, FIRST_MS, PLF_SERVER_SKIP);
	open_server(&second, &of_second, OF_SECOND, ms, policy);
	plf_shared_init(&shared);
	plf_shared_init(&other);
	assert_ok(plf_server_share(&first, &shared, 2, 3 * MS));
	assert_ok(plf_server_share(&second, &shared, 2, hold_ms * MS));
	assert_ok(plf_server_share(&second, &other, 2, hold_ms * MS));
}

static void close_sharers(void)
{
	claim(!was_broken);
	assert_ok(plf_shared_destroy(&shared));
	close_two();
}

static bool is_about(uint64_t time_ns, uint64_t expected_ns)
{
	return time_ns + MS / 2 >= expected_ns && time_ns <= expected_ns + MS / 2;
}

/* How long it ran inside between these two instants. */
static uint64_t ran_ns(const struct greedy *g, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < g->count; i++) {
		uint64_t begin = g->from_ns[i] > from_ns ? g->from_ns[i] : from_ns;
		uint64_t end = g->to_ns[i] < to_ns ? g->to_ns[i] : to_ns;

		sum += end > begin ? end - begin : 0;
	}
	return sum;
}

static bool ran_all_of(const struct greedy *g, uint64_t from_ns, uint64_t to_ns)
{
	return ran_ns(g, from_ns, to_ns) + MS / 2 >= to_ns - from_ns;
}

static bool ran_none_of(const struct greedy *g, uint64_t from_ns, uint64_t to_ns)
{
	return ran_ns(g, from_ns, to_ns) <= MS / 2;
}

/* ---- Overrun ------------------------------------------------------------ */

enum { BUDGET_MS = 10, END_MS = FIRST_MS + BUDGET_MS };

/* Run a section from 2 ms before the end of the budget until 3 ms after it. */
static void run_overrun(int policy, uint64_t next_end_ms)
{
	struct user u = { 0 };
	struct member member;

	open_sharers(policy, BUDGET_MS, 6);
	start_user(&member, &u, &second, at(2, END_MS - 2), at(2, END_MS + 3));
	join(&member);
	sleep_until(at(4, 0));
	assert_ok(u.found);
	claim_in_time(is_about(u.entered_ns, at(2, END_MS - 2)));
	claim_in_time(ran_all_of(&u.ran, u.lock_ns, u.unlock_ns));
	claim_in_time(of_second.overruns == 1);
	claim_in_time(is_about(of_second.loses_ns[2], at(2, END_MS + 3)));
	claim_in_time(of_second.gets_ns[3] == at(3, FIRST_MS));
	claim_in_time(is_about(of_second.loses_ns[3], at(3, next_end_ms)));
	close_sharers();
}

static void section_goes_on_beyond_the_budget(void)
{
	run_overrun(PLF_SERVER_OVERRUN, END_MS);
}

static void payback_is_of_the_next_budget(void)
{
	run_overrun(PLF_SERVER_PAYBACK, END_MS - 3);
}

/* After the section, neither its thread nor a more urgent thread of the server runs. */
static void nothing_runs_behind_the_section(void)
{
	static struct greedy urgent;
	struct user u = { 0 };
	struct member member, of_urgent;

	open_sharers(PLF_SERVER_OVERRUN, BUDGET_MS, 6);
	start_user(&member, &u, &second, at(2, END_MS - 2), at(2, END_MS + 3));
	sleep_until(at(2, END_MS - 1));
	join_greedy(&of_urgent, &urgent, &second, 5, at(3, FIRST_MS + 2));
	join(&member);
	join(&of_urgent);
	claim_in_time(is_about(urgent.from_ns[0], at(3, FIRST_MS)));
	claim_in_time(u.left_ns >= at(3, FIRST_MS));
	close_sharers();
}

/*
 * A section that is longer than X is suspended with its server. It may run only in the last
 * twentieth of time without a server.
 */
static void overrun_ends_with_x(void)
{
	struct user u = { 0 };
	struct member member;

	open_sharers(PLF_SERVER_OVERRUN, BUDGET_MS, 2);
	start_user(&member, &u, &second, at(2, END_MS - 2), at(3, FIRST_MS + 2));
	join(&member);
	claim_in_time(is_about(of_second.loses_ns[2], at(2, END_MS + 2)));
	claim_in_time(ran_all_of(&u.ran, at(2, END_MS - 2), at(2, END_MS + 2)));
	claim_in_time(ran_none_of(&u.ran, at(2, END_MS + 2), at(2, PERIOD_MS - 1)));
	close_sharers();
}

/* ---- Servers that are kept out ------------------------------------------- */

/* The second server has budget left when a period of the first server begins. */
static void open_apart(int policy, uint64_t hold_ms)
{
	open_sharers(policy, SECOND_MS, hold_ms);
	assert_ok(plf_server_begin(&second, at(0, PERIOD_MS / 2)));
}

static void section_keeps_out_a_more_urgent_server(void)
{
	static struct greedy a;
	struct user u = { 0 };
	struct member member, of_a;

	open_apart(PLF_SERVER_SKIP, 6);
	join_greedy(&of_a, &a, &first, 1, at(4, 0));
	start_user(&member, &u, &second, at(2, PERIOD_MS - 3), at(3, 2));
	join(&member);
	join(&of_a);
	claim_in_time(is_about(u.entered_ns, at(2, PERIOD_MS - 3)));
	claim_in_time(ran_all_of(&u.ran, u.lock_ns, u.unlock_ns));
	claim_in_time(is_about(of_first.gets_ns[3], at(3, 2)));
	claim_in_time(is_about(of_first.loses_ns[3], at(3, FIRST_MS + 2)));
	claim_in_time(ran_none_of(&a, at(2, FIRST_MS), at(3, 2)));
	claim_in_time(ran_all_of(&a, at(3, 2), at(3, FIRST_MS + 2)));
	close_sharers();
}

/*
 * The first server is kept out for X. Then its thread finds the section open, and waits for the
 * next budget.
 */
static void long_section_keeps_out_for_x(void)
{
	struct user u = { 0 }, waiter = { 0 };
	struct member member, of_waiter;

	open_apart(PLF_SERVER_SKIP, 4);
	start_user(&of_waiter, &waiter, &first, at(3, 6), at(4, 3));
	start_user(&member, &u, &second, at(2, PERIOD_MS - 3), at(3, PERIOD_MS - 4));
	join(&member);
	join(&of_waiter);
	claim_in_time(is_about(of_first.gets_ns[3], at(3, 4)));
	claim_in_time(ran_all_of(&u.ran, at(2, PERIOD_MS - 3), at(3, 4)));
	claim_in_time(ran_none_of(&u.ran, at(3, 4), at(3, FIRST_MS + 4)));
	claim_in_time(is_about(waiter.entered_ns, at(4, 0)));
	assert_ok(waiter.found);
	close_sharers();
}

/* ---- Skipping ----------------------------------------------------------- */

static uint64_t skips(const plf_server_t *server)
{
	struct plf_server_stats stats;

	assert_ok(plf_server_get_stats(server, &stats));
	return stats.skips;
}

/* 4 ms are left, but a section takes 5 ms. So it begins in the next budget. */
static void section_waits_for_a_budget_that_suffices(void)
{
	static struct greedy less;
	struct user u = { .local_priority = 2 };
	struct member member, of_less;

	open_sharers(PLF_SERVER_SKIP, BUDGET_MS, 5);
	start_user(&member, &u, &second, at(2, END_MS - 4), at(3, FIRST_MS + 3));
	join_greedy(&of_less, &less, &second, 1, at(4, 0));
	sleep_until(at(2, END_MS + 2));
	claim_in_time(sched_getscheduler(member.tid) == SCHED_FIFO); /* not parked */
	claim_in_time(is_asleep(member.tid));
	join(&member);
	join(&of_less);
	claim_in_time(is_about(u.entered_ns, at(3, FIRST_MS)));
	claim_in_time(ran_all_of(&u.ran, u.entered_ns, u.unlock_ns));
	claim_in_time(skips(&second) == 1);
	claim_in_time(of_second.overruns == 0);
	close_sharers();
}

static void section_begins_where_the_budget_suffices(void)
{
	struct user u = { 0 };
	struct member member;

	open_sharers(PLF_SERVER_SKIP, SECOND_MS, 5);
	start_user(&member, &u, &second, at(2, PERIOD_MS - 6), at(2, PERIOD_MS - 2));
	join(&member);
	claim_in_time(is_about(u.entered_ns, at(2, PERIOD_MS - 6)));
	claim_in_time(skips(&second) == 0);
	close_sharers();
}

/* ---- Ends --------------------------------------------------------------- */

static void dead_owner_is_reported_once(void)
{
	struct user dead = { .dies = true }, next = { 0 }, third = { 0 };
	struct member member;

	open_sharers(PLF_SERVER_SKIP, SECOND_MS, 5);
	start_user(&member, &dead, &second, at(1, FIRST_MS + 2), 0);
	join(&member);
	start_user(&member, &next, &first, at(2, 2), at(2, 3));
	join(&member);
	start_user(&member, &third, &second, at(2, PERIOD_MS - 2), at(3, FIRST_MS + 1));
	join(&member);
	assert_int_equal(next.found, EOWNERDEAD);
	assert_int_equal(third.found, 0);
	claim_in_time(is_about(third.entered_ns, at(3, FIRST_MS))); /* no claim is left */
	claim_in_time(is_about(next.entered_ns, at(2, 2)));
	close_sharers();
}

static void nest(void *unused)
{
	plf_mutex_t mutex;

	(void)unused;
	assert_ok(plf_mutex_init(&mutex, 2));
	assert_int_equal(plf_shared_lock(&shared), EPERM);
	assert_ok(plf_server_join(&second, 1));
	assert_int_equal(plf_shared_unlock(&shared), EPERM);
	assert_ok(plf_shared_lock(&shared));
	assert_int_equal(plf_shared_destroy(&shared), EBUSY);
	assert_ok(plf_shared_lock(&other));
	assert_int_equal(plf_shared_unlock(&shared), EPERM);
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(plf_shared_unlock(&other), EPERM);
	assert_int_equal(plf_detach(), EBUSY);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_shared_unlock(&other));
	assert_int_equal(plf_shared_lock(&shared), EDEADLK);
	assert_ok(plf_shared_unlock(&shared));
}

static void nest_elsewhere(void *unused)
{
	(void)unused;
	assert_ok(plf_server_join(&first, 1));
	assert_int_equal(plf_shared_lock(&other), EXDEV);
}

static void sections_nest(void)
{
	struct member member;

	open_sharers(PLF_SERVER_OVERRUN, SECOND_MS, 5);
	start_stranger(&member, MAIN + 1, nest, NULL);
	join(&member);
	start_stranger(&member, MAIN + 1, nest_elsewhere, NULL);
	join(&member);
	close_sharers();
}

static int all(void)
{
	const struct CMUnitTest tests[] = {
		one_server(section_goes_on_beyond_the_budget),
		one_server(payback_is_of_the_next_budget),
		one_server(nothing_runs_behind_the_section),
		one_server(overrun_ends_with_x),
		one_server(section_keeps_out_a_more_urgent_server),
		one_server(long_section_keeps_out_for_x),
		one_server(section_waits_for_a_budget_that_suffices),
		one_server(section_begins_where_the_budget_suffices),
		one_server(dead_owner_is_reported_once),
		one_server(sections_nest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, all);
}
