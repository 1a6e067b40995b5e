/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The purpose of the kernel module, for which the classic protocol pays two calls: a section also
 * keeps out threads without the hook. No thread at or below the ceiling takes the CPU from the
 * section's owner. Afterwards the owner has its old priority.
 */
#include "../../real_time/test/patience.h"
#include "team.h"

#include <semaphore.h>
#include <time.h>
#include <unistd.h>

enum { CEILING = 60, WORK_NS = 3000000, NS_PER_S = 1000000000 };

static plf_mutex_t outer, inner;
static sem_t bare; /* not plf_sem_t, which has the hook */
static uint64_t wake_ns;
static struct member stranger;

static void init(int outer_ceiling, int inner_ceiling)
{
	forget_notes();
	assert_ok(plf_mutex_init(&outer, outer_ceiling));
	assert_ok(plf_mutex_init(&inner, inner_ceiling));
	assert_ok(sem_init(&bare, 0, 0));
	wake_ns = plf_now() + WORK_NS;
}

static void run_when_posted(void *unused)
{
	(void)unused;
	assert_ok(sem_wait(&bare));
	note('m');
}

static void run_later(void *unused)
{
	struct timespec until = { .tv_sec = (time_t)(wake_ns / NS_PER_S),
				  .tv_nsec = (long)(wake_ns % NS_PER_S) };

	(void)unused;
	assert_ok(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL));
	note('m');
}

/* Work until the stranger that sleeps is awake, and for as long again. */
static void work(void)
{
	while (plf_now() < wake_ns + WORK_NS)
		;
}

static void post(void)
{
	assert_ok(sem_post(&bare));
}

/*
 * A stranger of that priority becomes ready while the caller, at `own`, is inside. Returns how
 * often the caller lost the CPU there; -1: the stranger came before or after.
 */
static long arrive_once(int own, int priority, void (*body)(void *), void (*inside)(void))
{
	long before, lost;
	bool in_time;

	init(CEILING, CEILING);
	start_stranger(&stranger, priority, body, NULL);
	assert_ok(plf_mutex_lock(&outer));
	before = involuntary_switches();
	in_time = plf_now() < wake_ns;
	note('(');
	inside();
	note(')');
	lost = involuntary_switches() - before;
	assert_ok(plf_mutex_unlock(&outer));
	assert_int_equal(kernel_priority(gettid()), own);
	join(&stranger);
	if (!in_time)
		return -1;
	if (priority > CEILING)
		return strcmp(notes(), "(m)") == 0 ? lost : -1;
	assert_string_equal(notes(), "()m");
	return lost;
}

/*
 * Repeat: the test's supervisor, above all ceilings, may run at any time, and a machine may stand
 * still.
 */
static void arrival(int own, int priority, void (*body)(void *), void (*inside)(void))
{
	plf_await(arrive_once(own, priority, body, inside) == (priority > CEILING));
}

static void every_arrival(int own)
{
	static const int priority[] = { 20, CEILING - 1, CEILING, CEILING + 1 };

	for (size_t i = 0; i < sizeof(priority) / sizeof(priority[0]); i++) {
		arrival(own, priority[i], run_when_posted, post);
		arrival(own, priority[i], run_later, work);
	}
}

static void strangers_wait_for_the_end(void **state)
{
	(void)state;
	every_arrival(LOW);
}

/* The owner needs no raise, because equals do not preempt. */
static void run_at_the_ceiling(void *unused)
{
	(void)unused;
	arrival(CEILING, CEILING, run_when_posted, post);
	arrival(CEILING, CEILING + 1, run_when_posted, post);
}

static void owner_at_its_ceiling(void **state)
{
	struct member owner;

	(void)state;
	start(&owner, CEILING, run_at_the_ceiling, NULL);
	join(&owner);
}

static void attach_again(int priority)
{
	assert_ok(plf_detach());
	assert_ok(plf_attach(priority, 0, test_flags));
}

static void another_base_counts(void **state)
{
	(void)state;
	attach_again(15);
	every_arrival(15);
	if (test_flags & PLF_STRICT)
		return;
	attach_again(0);
	every_arrival(0);
}

static void go_on_in_the_child(void)
{
	assert_ok(plf_mutex_unlock(&outer));
	assert_int_equal(kernel_priority(gettid()), LOW);
	every_arrival(LOW);
	if (test_flags & PLF_STRICT)
		lock_memory(); /* not inherited */
	attach_again(15);
	every_arrival(15);
}

/* The parent is at its ceiling then. */
static void fork_in_a_preempted_section(void **state)
{
	(void)state;
	init(CEILING, CEILING);
	start_stranger(&stranger, CEILING, run_when_posted, NULL);
	assert_ok(plf_mutex_lock(&outer));
	post();
	assert_int_equal(kernel_priority(gettid()), CEILING);
	assert_ok(in_child(go_on_in_the_child));
	assert_int_equal(kernel_priority(gettid()), CEILING);
	assert_ok(plf_mutex_unlock(&outer));
	assert_int_equal(kernel_priority(gettid()), LOW);
	join(&stranger);
}

/*
 * The ceilings of both sections, the section in which the stranger is posted, the stranger's
 * priority, and the expected order.
 */
static void nested(int ceilings[2], bool in_inner, int priority, const char *order)
{
	init(ceilings[0], ceilings[1]);
	start_stranger(&stranger, priority, run_when_posted, NULL);
	assert_ok(plf_mutex_lock(&outer));
	note('(');
	if (!in_inner)
		post();
	assert_ok(plf_mutex_lock(&inner));
	note('[');
	if (in_inner)
		post();
	note(']');
	assert_ok(plf_mutex_unlock(&inner));
	note(')');
	assert_ok(plf_mutex_unlock(&outer));
	assert_int_equal(kernel_priority(gettid()), LOW);
	join(&stranger);
	assert_string_equal(notes(), order);
}

static void inner_sections_add_theirs(void **state)
{
	int rising[2] = { 30, 50 }, falling[2] = { 50, 30 };

	(void)state;
	nested(rising, true, 20, "([])m");
	nested(rising, true, 30, "([])m");
	nested(rising, true, 40, "([]m)");
	nested(rising, true, 51, "([m])");
	nested(rising, false, 30, "([])m");
	nested(rising, false, 40, "(m[])");
	nested(falling, true, 40, "([])m");
	nested(falling, false, 50, "([])m");
	nested(falling, false, 51, "(m[])");
}

static volatile bool is_away, is_back; /* the sleeper */

static void work_until_it_is_back(void *unused)
{
	run_when_posted(unused);
	is_away = true;
	while (!is_back)
		;
	note('e');
}

/* A thread that sleeps inside lets others run, and comes back with the ceiling. */
static void sleeper_comes_back_first(void **state)
{
	(void)state;
	init(CEILING, CEILING);
	is_away = is_back = false;
	start_stranger(&stranger, CEILING - 1, work_until_it_is_back, NULL);
	assert_ok(plf_mutex_lock(&outer));
	note('(');
	post();
	note('s');
	plf_await(is_away); /* it sleeps meanwhile */
	note(')');
	is_back = true;
	assert_ok(plf_mutex_unlock(&outer));
	join(&stranger);
	assert_string_equal(notes(), "(sm)e");
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(strangers_wait_for_the_end), team_test(owner_at_its_ceiling),
		team_test(another_base_counts),	       team_test(fork_in_a_preempted_section),
		team_test(inner_sections_add_theirs),  team_test(sleeper_comes_back_first),
	};

	return cmocka_run_group_tests_name("keeps out", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
