/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * An unlock does not touch its mutex once the mutex is free. The next holder, perhaps on another
 * CPU, may destroy the mutex and give its memory back. So here its page is gone from that
 * instruction on.
 */
#include "each_instruction.h"
#include "team.h"

#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { NAP_NS = 1000000 };

static plf_mutex_t *mutex, other; /* `mutex` is alone on its page */
static bool (*is_free)(void);
static void (*meanwhile)(void); /* runs at that instruction */
static volatile int is_gone, is_inside;
static sem_t held, go;

static bool is_out_of_its_frame(void)
{
	return plf_word_ref(mutex->word) == 0 && *plf_self->top == 0;
}

static bool has_no_holder(void)
{
	return mutex->holder == 0;
}

static void nothing(void)
{
}

static void take_the_page_away(int number)
{
	(void)number;
	if (is_gone || !is_free())
		return;
	meanwhile();
	is_gone = mprotect(mutex, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE) == 0;
}

static int setup(void **state)
{
	const struct sigaction action = { .sa_handler = take_the_page_away };

	mutex = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(mutex != MAP_FAILED);
	assert_ok(sigaction(SIGTRAP, &action, NULL));
	assert_ok(sem_init(&held, 0, 0));
	assert_ok(sem_init(&go, 0, 0));
	meanwhile = nothing;
	is_gone = 0;
	is_inside = 0;
	return attach_main(state);
}

static int teardown(void **state)
{
	assert_ok(munmap(mutex, (size_t)sysconf(_SC_PAGESIZE)));
	return detach_main(state);
}

static void unlock_in_steps(void)
{
	int error;

	trap_each_instruction();
	error = plf_mutex_unlock(mutex);
	trap_no_more();
	assert_ok(error);
	assert_true(is_gone);
}

/* ---- A thread at the gate of the section -------------------------------- */

static void come_and_go(void *unused)
{
	(void)unused;
}

static void unlock_before_a_waiter(void)
{
	struct member waiter;

	assert_ok(plf_mutex_lock(mutex));
	start(&waiter, LOW + 1, come_and_go, NULL);
	await_asleep(&waiter);
	unlock_in_steps();
	join(&waiter);
}

static void of_this_cpu(void **state)
{
	(void)state;
	assert_ok(plf_mutex_init(mutex, 40));
	is_free = is_out_of_its_frame;
	unlock_before_a_waiter();
}

static void across_cpus(void **state)
{
	(void)state;
	plf_mutex_init_global(mutex);
	is_free = has_no_holder;
	unlock_before_a_waiter();
}

/* ---- A section above, of a thread that is granted another mutex ---------- */

static void hold_other(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&other));
	sem_post(&held);
	sem_wait(&go);
	assert_ok(plf_mutex_unlock(&other));
}

static void sleep_in_other(void *unused)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };

	(void)unused;
	assert_ok(plf_mutex_lock(&other));
	is_inside = 1;
	nanosleep(&nap, NULL);
	assert_ok(plf_mutex_unlock(&other));
}

static void have_other_granted(void)
{
	uint64_t end_ns = plf_now() + 2000000000;

	sem_post(&go);
	while (!is_inside && plf_now() < end_ns)
		;
}

static void across_cpus_below_a_sleeper(void **state)
{
	struct member holder, waiter;

	(void)state;
	plf_mutex_init_global(mutex);
	plf_mutex_init_global(&other);
	is_free = has_no_holder;
	meanwhile = have_other_granted;
	start_on(&holder, 1, 30, hold_other, NULL);
	sem_wait(&held);
	start(&waiter, 20, sleep_in_other, NULL);
	await_asleep(&waiter);
	assert_ok(plf_mutex_lock(mutex)); /* the first lock is slow */
	assert_ok(plf_mutex_unlock(mutex));
	assert_ok(plf_mutex_lock(mutex));
	unlock_in_steps();
	assert_true(is_inside);
	join(&holder);
	join(&waiter);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test_setup_teardown(of_this_cpu, setup, teardown),
		cmocka_unit_test_setup_teardown(across_cpus, setup, teardown),
		cmocka_unit_test_setup_teardown(across_cpus_below_a_sleeper, setup, teardown),
	};

	return cmocka_run_group_tests_name("freed mutexes", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
