/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Mutexes across CPUs, with facts that an emulator does not have: the robust list, which shows a
 * death without a wait; the moments between two holders; and fork() beside other threads. The
 * forking thread's sections go on in the child. Other threads' sections belong to a dead holder
 * there.
 */
#include "global_holder.h"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

static void trylock_sees_a_granted_waiter_dead(void **state)
{
	(void)state;
	end = vanish_inside;
	assert_int_equal(granted_and_dead(plf_mutex_trylock), EOWNERDEAD);
}

/* ---- Between two holders ------------------------------------------------ */

enum { ABOVE_THE_BAND = 90, STAY_NS = 20000000 };

static sem_t end_now, come;

/*
 * The kernel grants the mutex to a waiter of this CPU, and this thread keeps that waiter from
 * running.
 */
static void keep_the_waiter_out(void *unused)
{
	uint64_t end_ns;

	(void)unused;
	sem_wait(&go);
	sem_post(&end_now);
	sem_post(&come);
	end_ns = plf_now() + STAY_NS;
	while (plf_now() < end_ns)
		;
}

static void hold_until_the_end(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	sem_post(&held);
	sem_wait(&end_now);
	vanish();
}

static void come_with_a_cancellation_pending(void *unused)
{
	(void)unused;
	sem_wait(&come);
	pthread_cancel(pthread_self());
	assert_ok(plf_mutex_lock(&mutex));
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	note('n');
	assert_ok(plf_mutex_unlock(&mutex));
}

static void a_lock_is_no_cancellation_point(void **state)
{
	struct member victim, waiter, above, newcomer;

	(void)state;
	assert_ok(sem_init(&end_now, 0, 0));
	assert_ok(sem_init(&come, 0, 0));
	start_on(&victim, 1, 30, hold_until_the_end, NULL);
	sem_wait(&held);
	start_on(&waiter, 0, 20, repair, (void *)(uintptr_t) "w");
	await_asleep(&waiter);
	start_stranger(&above, ABOVE_THE_BAND, keep_the_waiter_out, NULL);
	start_on(&newcomer, 1, 21, come_with_a_cancellation_pending, NULL);
	await_asleep(&newcomer);
	sem_post(&go);
	join(&victim);
	join(&above);
	join(&waiter);
	join(&newcomer);
	assert_string_equal(notes(), "wn");
}

/* ---- fork() ------------------------------------------------------------- */

static void go_on_in_the_child(void)
{
	struct member waiter;

	assert_int_equal(plf_mutex_lock(&mutex), EDEADLK);
	start_on(&waiter, 1, 30, go_on, (void *)(uintptr_t) "w");
	await_asleep(&waiter);
	assert_int_equal(kernel_priority(gettid()), PLF_GLOBAL_BAND + 30);
	note('c');
	assert_ok(plf_mutex_unlock(&mutex));
	join(&waiter);
	assert_string_equal(notes(), "cw");
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void own_sections_go_on_in_a_child(void **state)
{
	struct member waiter;

	(void)state;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(in_child(go_on_in_the_child));
	start_on(&waiter, 1, 30, go_on, (void *)(uintptr_t) "w");
	await_asleep(&waiter);
	assert_ok(in_child(go_on_in_the_child)); /* the kernel's flag is in the word, too */
	assert_ok(plf_mutex_unlock(&mutex));
	join(&waiter);
}

static plf_mutex_t outer;

static void leave_both(void)
{
	assert_int_equal(plf_mutex_lock(&mutex), EDEADLK);
	assert_int_equal(plf_mutex_lock(&outer), EDEADLK);
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_mutex_unlock(&outer));
	assert_int_equal(kernel_priority(gettid()), LOW);
	assert_ok(plf_mutex_lock(&outer));
	go_on((void *)(uintptr_t) "i");
	assert_ok(plf_mutex_unlock(&outer));
}

static void two_sections_go_on_in_a_child(void **state)
{
	(void)state;
	plf_mutex_init_global(&outer);
	assert_ok(plf_mutex_lock(&outer));
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(in_child(leave_both));
	leave_both();
}

static void find_the_others_gone(void)
{
	repair("f");
	go_on("g");
}

static plf_mutex_t *paged;	 /* alone on its page */
static struct plf_thread *place; /* the holder of `paged` */

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static void hold_paged(void *unused)
{
	(void)unused;
	place = plf_self;
	assert_ok(plf_mutex_lock(paged));
	sem_post(&held);
	sem_wait(&go);
	assert_ok(plf_mutex_unlock(paged));
}

/* The mutex that the place's last thread held is not this thread's, and is not touched. */
static void begin_with_none(void *unused)
{
	plf_mutex_t local = PLF_MUTEX_INITIALIZER(40);

	(void)unused;
	assert_ptr_equal(plf_self, place);
	assert_ok(plf_mutex_lock(&local));
	assert_int_equal(plf_mutex_unlock(&mutex), EPERM);
	assert_ok(plf_mutex_unlock(&local));
}

static void start_heir_in_the_child(void)
{
	struct member heir;

	assert_ok(munmap(paged, page_size()));
	start_on(&heir, 1, 20, begin_with_none, NULL);
	join(&heir);
}

static void place_of_a_holder_serves_anew_in_a_child(void **state)
{
	struct member holder;

	(void)state;
	paged = mmap(NULL, page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(paged != MAP_FAILED);
	plf_mutex_init_global(paged);
	start_on(&holder, 1, 20, hold_paged, NULL);
	sem_wait(&held);
	assert_ok(in_child(start_heir_in_the_child));
	sem_post(&go);
	join(&holder);
	assert_ok(munmap(paged, page_size()));
}

static void others_are_dead_in_a_child(void **state)
{
	struct member holder, waiter;

	(void)state;
	start_on(&holder, 1, 20, hold_and_leave, NULL);
	sem_wait(&held);
	assert_ok(in_child(find_the_others_gone));
	start_on(&waiter, 0, 21, go_on, (void *)(uintptr_t) "w");
	await_asleep(&waiter);
	assert_ok(in_child(find_the_others_gone));
	sem_post(&go);
	join(&holder);
	join(&waiter);
	assert_string_equal(notes(), "w");
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		/* first, because no thread has vanished yet, whose place a child would give away */
		cmocka_unit_test_setup_teardown(place_of_a_holder_serves_anew_in_a_child, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(trylock_sees_a_granted_waiter_dead, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(a_lock_is_no_cancellation_point, setup,
						detach_main),
		cmocka_unit_test_setup_teardown(own_sections_go_on_in_a_child, setup, detach_main),
		cmocka_unit_test_setup_teardown(two_sections_go_on_in_a_child, setup, detach_main),
		cmocka_unit_test_setup_teardown(others_are_dead_in_a_child, setup, detach_main),
	};

	return cmocka_run_group_tests_name("mutexes across CPUs and the kernel", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
