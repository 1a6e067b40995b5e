/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Mutexes across CPUs: exclusion, and the rules of Mueller 2014, VII.A. The most urgent waiter is
 * next, and goes before less urgent sections of its CPU. A holder runs above all base priorities.
 *
 * The test waits until a thread that should stand in line is asleep, because such a thread sleeps
 * nowhere else.
 */
#include "../../real_time/test/patience.h"
#include "team.h"

#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

enum { CPUS = 2, ROUNDS = 5000, TRIES = 64 };

static plf_mutex_t mutex, other;
static volatile long counter;
static pthread_barrier_t all_here;
static sem_t held, go;
static volatile bool is_inside, is_over;

static int setup(void **state)
{
	plf_mutex_init_global(&mutex);
	plf_mutex_init_global(&other);
	assert_ok(sem_init(&held, 0, 0));
	assert_ok(sem_init(&go, 0, 0));
	counter = 0;
	is_inside = false;
	is_over = false;
	return attach_main(state);
}

/*
 * The caller has a CPU of its own meanwhile. If it spins for ever, the limit of real time ends it.
 */
static void spin_until(const volatile bool *flag)
{
	while (!*flag)
		;
}

/* ---- Exclusion --------------------------------------------------------- */

/*
 * A thread that only tries lends no priority. A holder that it preempted, for example after a page
 * fault, could wait for ever. So the thread sleeps sometimes.
 */
static int lock_by_trying(void)
{
	for (int refused = 1;; refused++) {
		int error = plf_mutex_trylock(&mutex);

		if (error != EBUSY)
			return error;
		if (refused % TRIES == 0)
			sleep_ms(1);
	}
}

static void count(bool by_trying)
{
	for (int round = 0; round < ROUNDS; round++) {
		long seen;

		assert_ok(by_trying ? lock_by_trying() : plf_mutex_lock(&mutex));
		seen = counter;
		for (volatile int work = 0; work < 20; work++)
			;
		counter = seen + 1;
		assert_ok(plf_mutex_unlock(&mutex));
	}
}

static void count_by_locking(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&all_here);
	count(false);
}

static void count_by_trying(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&all_here);
	count(true);
}

static void keeps_all_others_out(void **state)
{
	struct member member[4];

	(void)state;
	assert_ok(pthread_barrier_init(&all_here, NULL, 4));
	for (int i = 0; i < 4; i++)
		start_on(&member[i], i % CPUS, 20 + i, i == 2 ? count_by_trying : count_by_locking,
			 NULL);
	for (int i = 0; i < 4; i++)
		join(&member[i]);
	assert_int_equal(counter, 4 * ROUNDS);
	assert_ok(plf_mutex_destroy(&mutex));
}

/* ---- The order of grants ------------------------------------------------ */

static void enter_and_note(void *letter)
{
	assert_ok(plf_mutex_lock(&mutex));
	note(*(const char *)letter);
	assert_int_equal(kernel_priority(gettid()), PLF_GLOBAL_BAND + *(const char *)letter - 'A');
	assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(kernel_priority(gettid()), *(const char *)letter - 'A');
}

static void hold_until_posted(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	sem_post(&held);
	sem_wait(&go);
	assert_ok(plf_mutex_unlock(&mutex));
}

/* The letter of a thread is its base priority, counted from 'A'. */
static void stand_in_line(struct member *member, int cpu, const char *letter)
{
	start_on(member, cpu, *letter - 'A', enter_and_note, (void *)(uintptr_t)letter);
	await_asleep(member);
}

static void most_urgent_of_all_cpus_is_next(void **state)
{
	struct member holder, first, member[4];

	(void)state;
	start_on(&first, 0, 30, hold_until_posted, NULL);
	sem_wait(&held);
	start_on(&holder, 1, 40, hold_until_posted, NULL);
	stand_in_line(&member[0], 1, "V");
	sem_post(&go); /* the next holder is on CPU 1, and a thread stands in line there */
	join(&first);
	sem_wait(&held);
	stand_in_line(&member[1], 0, "W");
	stand_in_line(&member[2], 0, "Y");
	stand_in_line(&member[3], 0, "S");
	sem_post(&go);
	join(&holder);
	for (int i = 0; i < 4; i++)
		join(&member[i]);
	assert_string_equal(notes(), "YWVS");
}

/* If no thread waits, a holder keeps its base priority, inside and afterwards. */
static void costs_no_priority_where_none_waits(void **state)
{
	(void)state;
	assert_ok(plf_mutex_lock(&mutex));
	assert_int_equal(kernel_priority(gettid()),
			 on_classic_protocol() ? LOW + PLF_GLOBAL_BAND : LOW);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_int_equal(kernel_priority(gettid()), LOW);
}

/* ---- A grant, and the sections of its CPU ------------------------------- */

static void enter_and_say_so(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	is_inside = true;
	note('g');
	assert_ok(plf_mutex_unlock(&mutex));
}

static void a_granted_waiter_preempts_a_less_urgent_section(void **state)
{
	struct member holder, waiter;

	(void)state;
	start_on(&holder, 1, 30, hold_until_posted, NULL);
	sem_wait(&held);
	start_on(&waiter, 0, LOW + 1, enter_and_say_so, NULL);
	await_asleep(&waiter);
	assert_ok(plf_mutex_lock(&other));
	sem_post(&go);
	spin_until(&is_inside);
	assert_ok(plf_mutex_unlock(&other));
	join(&holder);
	join(&waiter);
}

static void be_more_urgent(void *waiter)
{
	int tid = ((struct member *)waiter)->tid;

	assert_ok(plf_mutex_lock(&other));
	sem_post(&go);
	while (((uint32_t)plf_load64(&mutex.holder) & PLF_TID_MASK) != (uint32_t)tid)
		;
	/*
	 * Granted, but not woken yet: the kernel does that later. Then the waiter is behind this
	 * section: it sleeps at the gate and lends its priority, or it only lacks the processor.
	 */
	while (on_ceiling_stack() ? kernel_priority(gettid()) != PLF_GLOBAL_BAND + 20
				  : is_asleep(tid))
		;
	assert_false(is_inside);
	note('m');
	assert_ok(plf_mutex_unlock(&other));
	assert_true(is_inside);
}

static void a_granted_waiter_waits_for_a_more_urgent_section(void **state)
{
	struct member holder, waiter, urgent;

	(void)state;
	start_on(&holder, 1, 30, hold_until_posted, NULL);
	sem_wait(&held);
	start_on(&waiter, 0, 20, enter_and_say_so, NULL);
	await_asleep(&waiter);
	start_on(&urgent, 0, 21, be_more_urgent, &waiter);
	join(&urgent);
	join(&holder);
	join(&waiter);
	assert_string_equal(notes(), "mg");
}

static void enter_and_go_on(void *unused)
{
	enter_and_say_so(unused);
	note('h');
}

/* As after any wait, a section of its CPU was opened meanwhile. */
static void a_granted_waiter_ends_behind_the_sections_that_cover_it(void **state)
{
	plf_mutex_t local = PLF_MUTEX_INITIALIZER(40);
	struct member holder, waiter;

	(void)state;
	start_on(&holder, 1, 30, hold_until_posted, NULL);
	sem_wait(&held);
	start_on(&waiter, 0, 20, enter_and_go_on, NULL);
	await_asleep(&waiter);
	assert_ok(plf_mutex_lock(&local));
	sem_post(&go);
	spin_until(&is_inside);
	note('m');
	assert_ok(plf_mutex_unlock(&local));
	join(&holder);
	join(&waiter);
	assert_string_equal(notes(), "gmh");
}

static sem_t later;

static void enter_and_return_later(void *unused)
{
	enter_and_say_so(unused);
	sem_wait(&later);
	assert_ok(plf_wake_hook());
	note('h');
}

/*
 * After the section the thread counts with its base rank again, so any section that covers it keeps
 * it out.
 */
static void a_granted_waiter_is_covered_afterwards(void **state)
{
	plf_mutex_t local = PLF_MUTEX_INITIALIZER(40);
	struct member holder, waiter;

	(void)state;
	assert_ok(sem_init(&later, 0, 0));
	start_on(&holder, 1, 30, hold_until_posted, NULL);
	sem_wait(&held);
	start_on(&waiter, 0, 20, enter_and_return_later, NULL);
	await_asleep(&waiter);
	sem_post(&go);
	join(&holder);
	await_asleep(&waiter);
	assert_ok(plf_mutex_lock(&local));
	sem_post(&later);
	note('m');
	assert_ok(plf_mutex_unlock(&local));
	join(&waiter);
	assert_string_equal(notes(), "gmh");
}

/* ---- Threads of the holder's CPU ---------------------------------------- */

static void move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	assert_ok(sched_setaffinity(0, sizeof(set), &set));
}

static void hold_and_be_preempted(void *stranger)
{
	assert_ok(plf_mutex_lock(&mutex));
	sem_post(&held);
	sem_post(stranger);
	is_over = true;
	assert_ok(plf_mutex_unlock(&mutex));
}

static sem_t awake;

static void run_without_the_hook(void *woken)
{
	move_to(1);
	sem_wait(woken);
	sem_post(&awake);
	spin_until(&is_over);
	is_inside = true;
}

/*
 * A thread without the hook preempts a holder for which no thread waits. Then a thread waits.
 * False: the holder was over before. An emulator has locks of its own, and lets a thread sleep
 * anywhere.
 */
static bool is_raised_above_a_stranger(void)
{
	struct member holder, stranger;
	bool was_over;
	sem_t woken;

	is_over = false;
	assert_ok(sem_init(&woken, 0, 0));
	assert_ok(sem_init(&awake, 0, 0));
	start_stranger(&stranger, 45, run_without_the_hook, &woken);
	await_asleep(&stranger);
	start_on(&holder, 1, 5, hold_and_be_preempted, &woken);
	sem_wait(&held);
	sem_wait(&awake);
	was_over = is_over;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
	join(&stranger);
	join(&holder);
	assert_true(is_inside);
	return !was_over;
}

static void a_holder_runs_above_threads_without_the_hook(void **state)
{
	(void)state;
	plf_await(is_raised_above_a_stranger() || !on_ceiling_stack());
}

static void lock_and_be_late(void *unused)
{
	struct plf_stats stats;

	(void)unused;
	assert_ok(plf_mutex_lock(&other));
	assert_ok(plf_get_stats(&stats));
	assert_int_equal(stats.gate_waits, on_ceiling_stack() ? 1 : 0);
	note('l');
	assert_ok(plf_mutex_unlock(&other));
}

/* The hook: even an attached thread of the highest base priority starts only after the section. */
static void a_section_is_above_all_base_priorities(void **state)
{
	plf_mutex_t local = PLF_MUTEX_INITIALIZER(99);
	struct member urgent;

	(void)state;
	assert_ok(plf_mutex_lock(&mutex));
	start(&urgent, PLF_GLOBAL_BAND - 1, lock_and_be_late, NULL);
	note('s');
	assert_ok(plf_mutex_unlock(&mutex));
	join(&urgent);
	assert_string_equal(notes(), "sl");
	assert_ok(plf_mutex_lock(&local)); /* a section across CPUs inside another section */
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_lock(&other));
	assert_ok(plf_mutex_unlock(&other));
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_mutex_unlock(&local));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test_setup_teardown(keeps_all_others_out, setup, detach_main),
		cmocka_unit_test_setup_teardown(most_urgent_of_all_cpus_is_next, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(costs_no_priority_where_none_waits, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(a_granted_waiter_preempts_a_less_urgent_section,
						setup, detach_main),
		cmocka_unit_test_setup_teardown(a_granted_waiter_waits_for_a_more_urgent_section,
						setup, detach_main),
		cmocka_unit_test_setup_teardown(
			a_granted_waiter_ends_behind_the_sections_that_cover_it, setup,
			detach_main),
		cmocka_unit_test_setup_teardown(a_granted_waiter_is_covered_afterwards, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(a_holder_runs_above_threads_without_the_hook, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(a_section_is_above_all_base_priorities, setup,
						detach_main),
	};

	return cmocka_run_group_tests_name("order across CPUs", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
