/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A child of vfork() runs in its parent's memory until it executes a program. The calls that it
 * makes before do not change the parent's thread.
 */
#include "enter_kernel.h"
#include "team.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DONE = 7 };

static pthread_mutex_t mutex;
static int null_file;

static int setup(void **state)
{
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	null_file = open("/dev/null", O_WRONLY | O_CLOEXEC);
	return prepare_main(state);
}

static int teardown(void **state)
{
	UNUSED(state);
	return close(null_file);
}

#define vfork_test(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

/* ---- The child's calls --------------------------------------------------- */

static void write_a_letter(void)
{
	if (write(null_file, "!", 1) != 1)
		_exit(1);
}

static void sleep_shortly(void)
{
	const struct timespec time = { .tv_nsec = 1000 };

	nanosleep(&time, NULL);
	poll(NULL, 0, 1);
	sched_yield();
}

static void ask_for_its_priority(void)
{
	struct sched_param param;

	if (sched_getparam(0, &param) != 0 || sched_getscheduler(0) < 0)
		_exit(1);
}

static void become_ordinary(void)
{
	struct sched_param param = { .sched_priority = 0 };

	if (sched_setscheduler(0, SCHED_OTHER, &param) != 0)
		_exit(1);
	sleep_shortly();
}

static void run_everywhere(void)
{
	cpu_set_t all;

	CPU_ZERO(&all);
	for (size_t cpu = 0; cpu < 64; cpu++)
		CPU_SET(cpu, &all);
	if (sched_setaffinity(0, sizeof(all), &all) != 0)
		_exit(1);
	sleep_shortly();
}

static void (*const steps[])(void) = { write_a_letter, sleep_shortly, ask_for_its_priority,
				       become_ordinary, run_everywhere };

enum { STEPS = sizeof(steps) / sizeof(steps[0]) };

static void be_the_child(void (*step)(void))
{
	execl("/no/such/program", "program", (char *)NULL);
	step();
	_exit(DONE);
}

static void by_vfork(void (*step)(void))
{
	pid_t child = vfork();
	int status;

	if (child == 0)
		be_the_child(step);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), DONE);
}

static int begin_clone(void *step)
{
	be_the_child(*(void (**)(void))step);
	return 0;
}

static void by_clone(void (*step)(void))
{
	static char stack[65536] __attribute__((aligned(64)));
	int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
	pid_t child = clone(begin_clone, stack + sizeof(stack), flags, (void *)&step);
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), DONE);
}

static void (*const ways[])(void (*)(void)) = { by_vfork, by_clone };

enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

/* ---- Its parent ---------------------------------------------------------- */

static void find_it_held(void *unused)
{
	UNUSED(unused);
	assert_int_equal(pthread_mutex_trylock(&mutex), EBUSY);
}

static void lock_in_turn(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	note('w');
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void lock_as_before(void)
{
	struct member waiter;

	forget_notes();
	assert_ok(pthread_mutex_lock(&mutex));
	run_as(20, find_it_held, NULL);
	start(&waiter, 20, lock_in_turn, NULL);
	await_sleep(&waiter);
	assert_string_equal(notes(), "");
	assert_int_equal(effective_priority(), 40);
	assert_int_equal(base_priority(), LOW);
	assert_ok(pthread_mutex_unlock(&mutex));
	join(&waiter);
	assert_string_equal(notes(), "w");
	assert_int_equal(effective_priority(), LOW);
}

struct visit {
	void (*way)(void (*)(void));
	void (*step)(void);
	int turn;
};

/*
 * Threads from before the first mutex, which make no other call that the library sees. This test is
 * the first, because the library must not have seen a mutex.
 */
static _Atomic int turn = -1;

static void sleep_until(int its)
{
	const struct timespec moment = { .tv_nsec = 500000 };
	const long arguments[6] = { (long)&moment };

	while (turn != its)
		plf_enter_kernel(SYS_nanosleep, arguments);
}

static void *begin_unknown(void *argument)
{
	const struct visit *visit = argument;
	int its = visit->turn;

	sleep_until(its);
	visit->way(visit->step);
	lock_as_before();
	turn = -1;
	return NULL;
}

static void of_threads_that_are_not_known(void **state)
{
	struct visit visit[WAYS * STEPS];
	pthread_t thread[WAYS * STEPS];

	prepare_main(state);
	for (int i = 0; i < WAYS * STEPS; i++) {
		visit[i] = (struct visit) { ways[i / STEPS], steps[i % STEPS], i };
		assert_ok(pthread_create(&thread[i], NULL, begin_unknown, &visit[i]));
	}
	setup(state);
	for (int i = 0; i < WAYS * STEPS; i++) {
		turn = i;
		sleep_until(-1);
		assert_ok(pthread_join(thread[i], NULL));
	}
}

static void before_its_first_section(void *argument)
{
	const struct visit *visit = argument;

	visit->way(visit->step);
	lock_as_before();
}

static void after_a_section(void *argument)
{
	lock_as_before();
	before_its_first_section(argument);
}

static void inside_a_section(void *argument)
{
	const struct visit *visit = argument;

	assert_ok(pthread_mutex_lock(&mutex));
	visit->way(visit->step);
	run_as(20, find_it_held, NULL);
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), LOW);
	lock_as_before();
}

static void by_threads(void (*body)(void *))
{
	for (int way = 0; way < WAYS; way++)
		for (int step = 0; step < STEPS; step++) {
			struct visit visit = { ways[way], steps[step], 0 };

			run_as(LOW, body, &visit);
		}
}

static void of_a_thread_without_a_section(void **state)
{
	UNUSED(state);
	by_threads(before_its_first_section);
}

static void of_a_thread_that_has_locked(void **state)
{
	UNUSED(state);
	by_threads(after_a_section);
}

static void of_a_thread_inside(void **state)
{
	UNUSED(state);
	by_threads(inside_a_section);
}

/* The child does not wait for a section that covers its parent, and leaves no gate in its name. */
static void be_covered(void *unused)
{
	UNUSED(unused);
	by_vfork(write_a_letter);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void of_a_thread_that_is_covered(void **state)
{
	struct member covered;

	UNUSED(state);
	assert_ok(pthread_mutex_lock(&mutex));
	start(&covered, 20, be_covered, NULL);
	sleep_ms(5);
	assert_ok(pthread_mutex_unlock(&mutex));
	join(&covered);
	lock_as_before();
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(of_threads_that_are_not_known),
		vfork_test(of_a_thread_without_a_section),
		vfork_test(of_a_thread_that_has_locked),
		vfork_test(of_a_thread_inside),
		vfork_test(of_a_thread_that_is_covered),
	};

	return cmocka_run_group_tests_name("vfork", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
