/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Shared resources, step by step: overrun, payback, skipping, servers that are kept out, and ends.
 */
#include "server_stage.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <unistd.h>

static plf_shared_t shared, of_second;

static void lock_step(struct actor *a)
{
	a->found = plf_shared_lock(&shared);
}

static void unlock_step(struct actor *a)
{
	a->found = plf_shared_unlock(&shared);
}

static void lock_own_step(struct actor *a)
{
	a->found = plf_shared_lock(&of_second);
}

static void unlock_own_step(struct actor *a)
{
	a->found = plf_shared_unlock(&of_second);
}

static plf_shared_t *given;

static void lock_given_step(struct actor *a)
{
	a->found = plf_shared_lock(given);
}

/*
 * Both servers use `shared`. The second also uses `of_second`, for a shorter time, so its X is the
 * longer time.
 */
static void share(uint64_t hold_ms)
{
	plf_shared_init(&shared);
	plf_shared_init(&of_second);
	assert_ok(plf_server_share(&first, &shared, 2, 3 * MS));
	assert_ok(plf_server_share(&second, &shared, 2, hold_ms * MS));
	assert_ok(plf_server_share(&second, &of_second, 5, hold_ms * MS / 2));
	assert_int_equal(of_second.bound, 1);
}

static void have_lock(struct actor *a)
{
	have_ok(a, lock_step);
	assert_int_equal(plf_shared_destroy(&shared), EBUSY);
}

static void close_sharers(void)
{
	assert_ok(plf_shared_destroy(&shared));
	assert_int_equal(shared.bound, 0);
	assert_ok(plf_shared_destroy(&of_second));
	close_two();
}

static void section_goes_on_beyond_the_budget(void **state)
{
	unsigned looks = 0;
	struct actor a, urgent;

	(void)state;
	open_two(PLF_SERVER_PAYBACK);
	share(6);
	be_at(16);
	join_in(&a, &second, 1);
	join_in(&urgent, &second, 5);
	fall_asleep(&urgent, 30);
	have_lock(&a);
	be_at(30);
	await_member_asleep(&urgent); /* the section keeps out its whole server */
	be_at(38);
	expect_priority(a.member.tid, SECOND + 5); /* lent by `urgent` */
	expect_events("1D16 1L16 2G16 2O36 ");
	order(&a, unlock_step);
	while (sched_getscheduler(a.member.tid) != SCHED_IDLE)
		look_for_stall(&looks);
	expect_events("2D38 2L38 ");
	assert_int_equal(stats_of(&second).calls, 1);
	assert_int_equal(stats_of(&first).calls, 0);
	be_at(56);
	await(&a);
	assert_ok(a.found);
	await(&urgent);
	be_at(80);
	expect_events("1R40 2R40 2P40 1G40 1D56 1L56 2G56 2D74 2L74 1R80 2R80 1G80 ");
	finish(&a);
	finish(&urgent);
	close_sharers();
}

static void section_under_overrun_begins_whatever_is_left(void **state)
{
	struct actor a;
	unsigned looks = 0;

	(void)state;
	open_two(PLF_SERVER_OVERRUN);
	share(6);
	be_at(16);
	join_in(&a, &second, 1);
	be_at(35);
	have_lock(&a);
	assert_int_equal(stats_of(&second).skips, 0);
	be_at(37);
	order(&a, unlock_step);
	while (sched_getscheduler(a.member.tid) != SCHED_IDLE)
		look_for_stall(&looks);
	expect_events("1D16 1L16 2G16 2O36 2D37 2L37 ");
	be_at(56);
	await(&a);
	assert_ok(a.found);
	finish(&a);
	close_sharers();
}

/*
 * The thread enters the section after another section, inside it, or before it. The other server's
 * waiting thread runs as soon as the section is left, and finds it free.
 */
static void claims_keep_out(void **state)
{
	unsigned looks = 0;
	struct actor a, b;

	(void)state;
	open_two(PLF_SERVER_SKIP);
	share(6);
	join_in(&b, &first, 1);
	assert_ok(plf_server_begin(&second, at(25)));
	be_at(25);
	expect_events("1D16 1L16 2R25 2G25 ");
	order(&b, lock_step);
	join_in(&a, &second, 1);
	be_at(30);
	have_ok(&a, lock_own_step);
	have_lock(&a);
	have_ok(&a, unlock_step);
	have_ok(&a, unlock_own_step);
	have_lock(&a);
	be_at(39);
	have_ok(&a, lock_own_step);
	be_at(41);
	expect_events("1R40 1K40 ");
	have_ok(&a, unlock_own_step);
	expect_events("");
	assert_int_equal(stats_of(&second).calls, 0);
	order(&a, unlock_step);
	while (stats_of(&second).calls == 0)
		look_for_stall(&looks);
	expect_events("2L41 1G41 ");
	await(&b);
	assert_ok(b.found);
	have_ok(&b, unlock_step);
	expect_priority(a.member.tid, SECOND + 1);
	be_at(57);
	await(&a);
	assert_ok(a.found);
	be_at(78);
	have_ok(&a, lock_own_step);
	be_at(97);
	have_ok(&a, unlock_own_step);
	expect_events("1D57 1L57 2G57 2D61 2L61 2R65 2G65 1R80 2L80 1G80 1D96 1L96 2G96 ");
	finish(&a);
	finish(&b);
	close_sharers();
}

/*
 * The section keeps out for X + 1 ns. Then a thread of the other server finds it open, and waits
 * for its next budget. Another thread of the claimant's server claims nothing.
 */
static void long_section_keeps_out_for_x(void **state)
{
	struct actor a, b, bystander;

	(void)state;
	open_apart(PLF_SERVER_SKIP);
	share(4);
	join_in(&bystander, &second, 1);
	join_in(&a, &second, 1);
	have_lock(&a);
	be_at(45);
	expect_events("1R40 1K40 2L44.000001 1G44.000001 ");
	join_in(&b, &first, 1);
	order(&b, lock_step);
	await_member_asleep(&b);
	assert_int_equal(stats_of(&first).skips, 0);
	go_to(at(60) + MS / 2);
	assert_false(is_done(&b));
	have_ok(&a, unlock_step);
	assert_int_equal(stats_of(&second).calls, 1);
	be_at(80);
	await(&b);
	assert_ok(b.found);
	assert_int_equal(plf_shared_destroy(&shared), EBUSY);
	have_ok(&b, unlock_step);
	be_at(94);
	order(&b, lock_step); /* its earlier claim, which would pay for this section, is gone */
	await_member_asleep(&b);
	assert_int_equal(stats_of(&first).skips, 1);
	be_at(120);
	await(&b);
	have_ok(&b, unlock_step);
	finish(&bystander);
	finish(&a);
	finish(&b);
	close_sharers();
}

static struct plf_stats own;

static void stats_step(struct actor *a)
{
	a->found = plf_get_stats(&own);
}

/* X + 1 ns are enough, and X is not, unless the thread holds another section. */
static void section_waits_for_a_budget_that_suffices(void **state)
{
	struct actor a, gone;

	(void)state;
	open_two(PLF_SERVER_SKIP);
	share(6);
	be_at(16);
	join_in(&gone, &second, 5);
	finish(&gone); /* without a claim, so it pays for no section */
	join_in(&a, &second, 1);
	go_to(at(30) - 1);
	have_ok(&a, lock_own_step);
	be_at(31);
	have_lock(&a);
	have_ok(&a, unlock_step);
	have_ok(&a, unlock_own_step);
	assert_int_equal(stats_of(&second).skips, 0);
	order(&a, lock_step);
	await_member_asleep(&a);
	interrupt(&a);
	assert_int_equal(stats_of(&second).skips, 1);
	be_at(36);
	expect_priority(a.member.tid, SECOND + 1);
	be_at(40);
	await_member_asleep(&a);
	await_idler_asleep();
	assert_ok(plf_server_share(&second, &of_second, 5, 6 * MS)); /* has the manager look */
	assert_true(is_asleep(idler));
	be_at(56);
	await(&a);
	assert_ok(a.found);
	assert_int_equal(plf_shared_destroy(&shared), EBUSY);
	assert_int_equal(stats_of(&second).skips, 1);
	have_ok(&a, stats_step);
	assert_int_equal(own.skips, 1);
	have_ok(&a, unlock_step);
	finish(&a);
	close_sharers();
}

/* A more urgent thread of the server may also begin, because that time is paid for. */
static void one_claim_pays_for_the_server(void **state)
{
	struct actor a, b;

	(void)state;
	open_two(PLF_SERVER_SKIP);
	share(6);
	be_at(16);
	join_in(&a, &second, 1);
	join_in(&b, &second, 5);
	have_lock(&a);
	be_at(31);
	have_ok(&b, lock_own_step);
	have_ok(&b, unlock_own_step);
	have_ok(&a, unlock_step);
	assert_int_equal(stats_of(&second).skips, 0);
	order(&b, lock_own_step);
	await_member_asleep(&b);
	assert_int_equal(stats_of(&second).skips, 1);
	be_at(56);
	await(&b);
	assert_ok(b.found);
	have_ok(&b, unlock_own_step);
	finish(&a);
	finish(&b);
	close_sharers();
}

/* The owner's claim ends with it, and the next owner learns of its death. */
static void dead_owner_is_reported_once(void **state)
{
	struct actor a, b;

	(void)state;
	open_two(PLF_SERVER_SKIP);
	share(6);
	be_at(16);
	join_in(&a, &second, 1);
	have_lock(&a);
	be_dead(&a);
	be_at(71);
	join_in(&a, &second, 1);
	order(&a, lock_step);
	await_member_asleep(&a);
	be_at(80);
	join_in(&b, &first, 1);
	have(&b, lock_step);
	assert_int_equal(b.found, EOWNERDEAD);
	have_ok(&b, unlock_step);
	be_at(96);
	await(&a);
	assert_ok(a.found);
	have_ok(&a, unlock_step);
	finish(&a);
	finish(&b);
	close_sharers();
}

/*
 * The server has the CPU as soon as it has a new budget. Then the thread is ready, inside the
 * section.
 */
static void thread_that_waited_for_a_budget_is_parked(void **state)
{
	struct actor a;

	(void)state;
	open_two(PLF_SERVER_SKIP);
	share(6);
	join_in(&a, &first, 1);
	be_at(14);
	order(&a, lock_step);
	await_member_asleep(&a);
	be_at(40);
	await(&a);
	assert_ok(a.found);
	be_at(56);
	expect_priority(a.member.tid, 0);
	be_at(80);
	have_ok(&a, unlock_step);
	finish(&a);
	close_sharers();
}

/* The kernel refuses the wait that follows. The server's mutex is free again. */
static void wait_that_fails_leaves_nothing_locked(void **state)
{
	struct actor a, b, c;

	(void)state;
	open_two(PLF_SERVER_SKIP);
	share(6);
	join_in(&c, &first, 1);
	have_lock(&c);
	be_at(16);
	join_in(&a, &second, 1);
	order(&a, lock_step);
	await_member_asleep(&a);
	join_in(&b, &second, 5);
	have_ok(&b, lock_own_step);
	be_at(40);
	have_ok(&c, unlock_step);
	be_at(56);
	refuse_futex(FUTEX_LOCK_PI, EDEADLK);
	await_member_asleep(&a); /* because its unlock has to wait, too */
	have_ok(&b, unlock_own_step);
	await(&a);
	assert_int_equal(a.found, EDEADLK);
	have_lock(&a);
	have_ok(&a, unlock_step);
	finish(&a);
	finish(&b);
	finish(&c);
	close_sharers();
}

static void have_refused(struct actor *a, void (*step)(struct actor *), int error)
{
	have(a, step);
	assert_int_equal(a->found, error);
}

static void sections_end_in_order(void **state)
{
	struct actor a, b;

	(void)state;
	open_two(PLF_SERVER_OVERRUN);
	share(6);
	assert_int_equal(plf_shared_lock(&shared), EPERM);
	assert_int_equal(plf_shared_unlock(&shared), EPERM);
	join_in(&b, &first, 1);
	have_refused(&b, lock_own_step, EXDEV);
	have_refused(&b, unlock_own_step, EPERM);
	have_lock(&b);
	have_refused(&b, unlock_own_step, EPERM);
	have_ok(&b, unlock_step);
	be_at(16);
	join_in(&a, &second, 1);
	have_refused(&a, unlock_step, EPERM);
	have_lock(&a);
	have_refused(&a, lock_step, EDEADLK);
	have_ok(&a, lock_own_step);
	have_refused(&a, unlock_step, EPERM);
	have_refused(&a, leave_step, EBUSY);
	have_ok(&a, unlock_own_step);
	have_ok(&a, unlock_step);
	have_refused(&a, unlock_step, EPERM);
	finish(&a);
	finish(&b);
	close_sharers();
}

/* The share that follows the table in memory is no entry of the table. */
static void table_is_full_before_its_end(void **state)
{
	static struct {
		plf_shared_t table;
		struct plf_share behind;
	} s;
	plf_server_t more[PLF_SHARED_SERVERS_MAX], last;
	struct actor a;

	(void)state;
	plf_shared_init(&s.table);
	for (int i = 0; i < PLF_SHARED_SERVERS_MAX; i++) {
		assert_ok(plf_server_init(&more[i], 0, 10 + i, 100 * MS, MS, PLF_SERVER_SKIP));
		assert_ok(plf_server_share(&more[i], &s.table, 1, 1000));
		assert_int_equal(s.table.ceiling, 10 + i);
	}
	assert_ok(plf_server_init(&last, 0, 30, 100 * MS, MS, PLF_SERVER_SKIP));
	assert_int_equal(plf_server_share(&last, &s.table, 1, 1000), ENOMEM);
	assert_ok(plf_server_share(&more[0], &s.table, 1, 1000));
	assert_int_equal(s.table.ceiling, 10 + PLF_SHARED_SERVERS_MAX - 1);
	s.behind.stack = 1024 - 1 + last.number; /* as server_manager.h numbers its stack */
	enter(&a, &last, 1);
	await(&a);
	assert_ok(a.found);
	given = &s.table;
	have_refused(&a, lock_given_step, EXDEV);
	finish(&a);
	assert_ok(plf_server_destroy(&last));
	for (int i = 0; i < PLF_SHARED_SERVERS_MAX; i++)
		assert_ok(plf_server_destroy(&more[i]));
	await_threads(1);
}

/* The thread goes on at its priority. It may leave sections, but not enter one. */
static void live_on_without_servers(void)
{
	struct sched_param param;

	if (plf_shared_unlock(&shared) != 0 || plf_shared_lock(&shared) != EXDEV ||
	    plf_server_begin(&first, 0) != EINVAL || plf_wake_hook() != 0 || plf_detach() != 0 ||
	    sched_getscheduler(0) != SCHED_FIFO || sched_getparam(0, &param) != 0 ||
	    param.sched_priority != FIRST + 1)
		_exit(1);
	_exit(0);
}

/* The child opens a server of its own, with the whole CPU. */
static void open_servers_again(void)
{
	plf_server_t own;

	if (plf_detach() != 0 || plf_server_init(&own, 0, FIRST, MS, MS, PLF_SERVER_IDLING) != 0 ||
	    plf_server_begin(&first, 0) != EINVAL || plf_server_destroy(&own) != 0)
		_exit(1);
	_exit(0);
}

static void fork_step(struct actor *a)
{
	a->found = in_child(live_on_without_servers);
}

static void fork_and_open_step(struct actor *a)
{
	a->found = in_child(open_servers_again);
}

/* The child does not sleep, so wait for it. */
static void have_forked(struct actor *a, void (*step)(struct actor *))
{
	order(a, step);
	while (!is_done(a))
		sleep_ms(1);
	assert_ok(a->found);
}

/* The child has none of its parent's servers. The parent's threads stay as they are. */
static void child_of_fork_has_no_servers(void **state)
{
	struct actor a, parked;

	(void)state;
	open_two(PLF_SERVER_SKIP);
	share(6);
	join_in(&a, &first, 1);
	have_forked(&a, fork_and_open_step);
	be_at(16);
	join_in(&parked, &second, 1);
	be_at(40);
	have_lock(&a);
	have_forked(&a, fork_step);
	expect_priority(parked.member.tid, 0);
	have_ok(&a, unlock_step);
	finish(&a);
	finish(&parked);
	close_sharers();
}

/* A thread ends or dies. Its claim keeps no server out any more, and pays for no section. */
static void exit_step(struct actor *a)
{
	(void)a;
	pthread_exit(NULL);
}

static void claim_ends_with_its_thread(void **state)
{
	struct actor a;

	(void)state;
	open_apart(PLF_SERVER_SKIP);
	share(6);
	join_in(&a, &second, 1);
	have_lock(&a);
	be_at(38);
	order(&a, exit_step);
	join(&a.member);
	join_in(&a, &second, 1);
	be_at(40);
	expect_events("1R40 2L40 1G40 ");
	be_at(56);
	order(&a, lock_step);
	await_member_asleep(&a);
	assert_int_equal(stats_of(&second).skips, 1);
	be_at(65);
	await(&a);
	assert_int_equal(a.found, EOWNERDEAD);
	be_at(79);
	be_dead(&a);
	be_at(80);
	expect_events("1D56 1L56 2G56 2D61 2L61 2R65 2G65 1R80 2L80 1G80 ");
	close_two(); /* the dead thread's name stays in the resource */
}

static void another_budget_is_needed(void **state)
{
	struct actor a;

	(void)state;
	open_apart(PLF_SERVER_SKIP);
	share(12);
	join_in(&a, &second, 1);
	be_at(34);
	order(&a, lock_step);
	await_member_asleep(&a);
	be_at(58); /* the server had the CPU again, but not enough budget */
	await_member_asleep(&a);
	assert_int_equal(stats_of(&second).skips, 1);
	be_at(65);
	await(&a);
	assert_ok(a.found);
	have_ok(&a, unlock_step);
	finish(&a);
	close_sharers();
}

static int all(void)
{
	const struct CMUnitTest tests[] = {
		step_test(section_goes_on_beyond_the_budget),
		step_test(section_under_overrun_begins_whatever_is_left),
		step_test(claims_keep_out),
		step_test(long_section_keeps_out_for_x),
		step_test(section_waits_for_a_budget_that_suffices),
		step_test(one_claim_pays_for_the_server),
		step_test(dead_owner_is_reported_once),
		step_test(claim_ends_with_its_thread),
		step_test(another_budget_is_needed),
		step_test(thread_that_waited_for_a_budget_is_parked),
		step_test(wait_that_fails_leaves_nothing_locked),
		step_test(sections_end_in_order),
		step_test(table_is_full_before_its_end),
		step_test(child_of_fork_has_no_servers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, all);
}
