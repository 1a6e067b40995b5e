/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * plf_mutex_timedlock() locks a free mutex whatever the time. A wait ends at its time, and not
 * before. Afterwards everything is as if the caller had never come.
 */
#include "team.h"

#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BELOW = 20, HOLDER = 30, WAITER = 35, URGENT = 40, CEILING = 50, MS = 1000000 };

static plf_mutex_t mutex;
static sem_t may_wait[2], holder_may, here; /* not plf_sem_t, which has the hook */
static const struct plf_thread *place;	    /* the holder's; it outlives the thread */
static struct member holder;
static uint64_t deadline_ns;

static int setup(void **state)
{
	assert_ok(plf_mutex_init(&mutex, CEILING));
	assert_ok(sem_init(&may_wait[0], 0, 0));
	assert_ok(sem_init(&may_wait[1], 0, 0));
	assert_ok(sem_init(&holder_may, 0, 0));
	assert_ok(sem_init(&here, 0, 0));
	return attach_main(state);
}

#define timed_test(f) cmocka_unit_test_setup_teardown(f, setup, detach_main)

static void hold(void *m)
{
	place = plf_self;
	assert_ok(plf_mutex_lock(m));
	sem_post(&here);
	sem_wait(&holder_may);
	assert_ok(plf_mutex_unlock(m));
	assert_int_equal(kernel_priority(gettid()), HOLDER);
}

/* Start a thread on that CPU that sleeps inside the section. */
static void start_holder(plf_mutex_t *m, int cpu)
{
	start_on(&holder, cpu, HOLDER, hold, m);
	sem_wait(&here);
}

static void end_holder(void)
{
	sem_post(&holder_may);
	join(&holder);
}

/* The word of a gate of the holder's frame 0. */
static uint32_t gate(void)
{
	return plf_load32(&place->frame[0].gate.word);
}

static uint32_t second_gate(void)
{
	return plf_load32(&place->frame[0].second.word);
}

static void expect_open_gates(void)
{
	for (size_t i = 0; i < PLF_FRAMES; i++) {
		assert_int_equal(plf_load32(&place->frame[i].gate.word), 0);
		assert_int_equal(plf_load32(&place->frame[i].second.word), 0);
	}
}

/* ---- The time ----------------------------------------------------------- */

static void lock_at_any_time(plf_mutex_t *m)
{
	const uint64_t times_ns[] = {
		0, 1, plf_now() - 1, plf_now(), plf_now() + MS, UINT64_MAX - 1, UINT64_MAX,
	};

	for (size_t i = 0; i < sizeof(times_ns) / sizeof(times_ns[0]); i++) {
		assert_ok(plf_mutex_timedlock(m, times_ns[i]));
		assert_int_equal(plf_mutex_timedlock(m, times_ns[i]), EDEADLK);
		assert_ok(plf_mutex_unlock(m));
		assert_int_equal(plf_mutex_unlock(m), EPERM);
	}
}

static void free_mutex_is_locked_at_any_time(void **state)
{
	plf_mutex_t inner = PLF_MUTEX_INITIALIZER(CEILING);

	(void)state;
	lock_at_any_time(&mutex);
	assert_ok(plf_mutex_lock(&mutex));
	lock_at_any_time(&inner);
	assert_ok(plf_mutex_unlock(&mutex));
	if (!has_global_mutexes())
		return;
	plf_mutex_init_global(&mutex);
	lock_at_any_time(&mutex);
}

static void expect_time_out(plf_mutex_t *m, uint64_t time_ns)
{
	assert_int_equal(plf_mutex_timedlock(m, time_ns), ETIMEDOUT);
	assert_true(plf_now() >= time_ns);
	assert_int_equal(kernel_priority(gettid()), LOW);
	assert_int_equal(plf_mutex_unlock(m), EPERM);
	assert_int_equal(plf_mutex_destroy(m), EBUSY);
}

static void expect_time_outs(plf_mutex_t *m)
{
	expect_time_out(m, 0);
	expect_time_out(m, 1);
	expect_time_out(m, plf_now());
	expect_time_out(m, plf_now() + 3 * MS);
	assert_int_equal(plf_mutex_trylock(m), EBUSY);
}

static void held_mutex_times_out(void **state)
{
	(void)state;
	start_holder(&mutex, 0);
	expect_time_outs(&mutex);
	end_holder();
	expect_open_gates();
	lock_at_any_time(&mutex);
}

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
	(void)number;
	signals++;
}

static void hold_and_signal(void *main_thread)
{
	assert_ok(plf_mutex_lock(&mutex));
	sem_post(&here);
	while (sem_trywait(&holder_may) != 0) {
		sleep_ms(1);
		assert_ok(pthread_kill(*(pthread_t *)main_thread, SIGUSR1));
	}
	assert_ok(plf_mutex_unlock(&mutex));
}

static void signal_handler_does_not_end_the_wait(void **state)
{
	const struct sigaction action = { .sa_handler = count_signal };
	pthread_t self = pthread_self();

	(void)state;
	assert_ok(sigaction(SIGUSR1, &action, NULL));
	start(&holder, HOLDER, hold_and_signal, &self);
	sem_wait(&here);
	signals = 0;
	while (signals < 2)
		expect_time_out(&mutex, plf_now() + 3 * MS);
	end_holder();
}

/* ---- Others that wait --------------------------------------------------- */

static void wait_in_vain(void *semaphore)
{
	sem_wait(semaphore);
	assert_int_equal(plf_mutex_timedlock(&mutex, plf_now() + 5 * MS), ETIMEDOUT);
	assert_int_equal(kernel_priority(gettid()), URGENT);
	note('x');
}

static void wait_to_the_end(void *semaphore)
{
	sem_wait(semaphore);
	assert_ok(plf_mutex_timedlock(&mutex, UINT64_MAX));
	note('w');
	assert_ok(plf_mutex_unlock(&mutex));
}

/* The holder still has the priority of the other waiters. */
static void others_wait_on(plf_mutex_t *m, int cpu, int lent)
{
	struct member waiter, urgent;

	start(&waiter, WAITER, wait_to_the_end, &may_wait[0]);
	start(&urgent, URGENT, wait_in_vain, &may_wait[1]);
	start_holder(m, cpu);
	sem_post(&may_wait[0]);
	sem_post(&may_wait[1]);
	await_asleep(&waiter);
	join(&urgent);
	assert_int_equal(kernel_priority(holder.tid), lent);
	end_holder();
	join(&waiter);
	assert_string_equal(notes(), "xw");
	expect_open_gates();
	assert_ok(plf_mutex_destroy(m));
}

static void others_wait_on_when_one_gives_up(void **state)
{
	(void)state;
	others_wait_on(&mutex, 0, on_ceiling_stack() ? WAITER : CEILING);
}

static void wait_till_the_deadline(void *unused)
{
	(void)unused;
	sem_wait(&may_wait[0]);
	deadline_ns = plf_now() + 50 * MS;
	assert_int_equal(plf_mutex_timedlock(&mutex, deadline_ns), ETIMEDOUT);
	note('x');
}

static void hold_twice(void *unused)
{
	(void)unused;
	place = plf_self;
	assert_ok(plf_mutex_lock(&mutex));
	sem_post(&here);
	sem_wait(&holder_may);
	assert_ok(plf_mutex_unlock(&mutex)); /* the gate goes to the waiter, which does not run */
	assert_ok(plf_mutex_lock(&mutex));
	while (plf_now() <= deadline_ns)
		;
	sem_wait(&holder_may);
	assert_ok(plf_mutex_unlock(&mutex));
}

/*
 * When the waiter's time is over, it has the first gate, and is at the second: see second_gate.c.
 * Under the kernel module it would find the holder's next section uncontended, and flag it.
 */
static void second_gate_is_given_up(void **state)
{
	struct member waiter;

	(void)state;
	if (!on_ceiling_stack())
		return;
	start(&waiter, BELOW, wait_till_the_deadline, NULL);
	start(&holder, HOLDER, hold_twice, NULL);
	sem_wait(&here);
	sem_post(&may_wait[0]);
	assert_true((gate() & PLF_TID_MASK) == (uint32_t)holder.tid);
	sem_post(&holder_may);
	join(&waiter);
	assert_string_equal(notes(), "x");
	assert_int_equal(gate(), 0);
	assert_int_equal(second_gate(), 0);
	end_holder();
	expect_open_gates();
	lock_at_any_time(&mutex);
}

/* ---- Death -------------------------------------------------------------- */

static void die_inside(void *m)
{
	assert_ok(plf_mutex_lock(m));
	sem_post(&here);
	sem_wait(&holder_may);
	vanish();
}

static void die_after_a_while(void *m)
{
	assert_ok(plf_mutex_lock(m));
	sem_post(&here);
	sleep_ms(3);
	vanish();
}

static void expect_death(plf_mutex_t *m, uint64_t time_ns)
{
	assert_int_equal(plf_mutex_timedlock(m, time_ns), EOWNERDEAD);
	assert_ok(plf_mutex_consistent(m));
	assert_ok(plf_mutex_unlock(m));
	lock_at_any_time(m);
}

/* The holder dies before the caller comes, while it waits, and after it gave up. */
static void death_is_reported(plf_mutex_t *m, int cpu)
{
	start_on(&holder, cpu, HOLDER, die_inside, m);
	sem_wait(&here);
	end_holder();
	expect_death(m, 0);
	start_on(&holder, cpu, HOLDER, die_after_a_while, m);
	sem_wait(&here);
	expect_death(m, UINT64_MAX - 1);
	join(&holder);
	start_on(&holder, cpu, HOLDER, die_inside, m);
	sem_wait(&here);
	expect_time_outs(m);
	end_holder();
	expect_death(m, 0);
}

static void death_inside_is_reported(void **state)
{
	(void)state;
	death_is_reported(&mutex, 0);
}

/* ---- Across CPUs -------------------------------------------------------- */

static void global_mutex_times_out(void **state)
{
	(void)state;
	if (!has_global_mutexes())
		return;
	plf_mutex_init_global(&mutex);
	for (uint32_t spin_ns = 0; spin_ns <= PLF_SPIN_MAX_NS; spin_ns += PLF_SPIN_MAX_NS) {
		assert_ok(plf_mutex_setspin(&mutex, spin_ns));
		start_holder(&mutex, 1);
		expect_time_outs(&mutex);
		end_holder();
		expect_open_gates();
		lock_at_any_time(&mutex);
	}
	assert_ok(plf_mutex_destroy(&mutex));
}

static int looks;

/* The library's readings of the clock come here, too. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
	looks++;
	return (int)syscall(SYS_clock_gettime, clock, time);
}

/* The clock is read when spinning begins, and once more. */
static void no_spinning_beyond_the_time(void **state)
{
	(void)state;
	if (!has_global_mutexes())
		return;
	plf_mutex_init_global(&mutex);
	assert_ok(plf_mutex_setspin(&mutex, PLF_SPIN_MAX_NS));
	start_holder(&mutex, 1);
	looks = 0;
	assert_int_equal(plf_mutex_timedlock(&mutex, 0), ETIMEDOUT);
	assert_int_equal(looks, 2);
	end_holder();
}

static void global_mutex_is_not_waited_for_inside(void **state)
{
	plf_mutex_t outer = PLF_MUTEX_INITIALIZER(CEILING);

	(void)state;
	if (!has_global_mutexes())
		return;
	plf_mutex_init_global(&mutex);
	start_holder(&mutex, 1);
	assert_ok(plf_mutex_lock(&outer));
	assert_int_equal(plf_mutex_timedlock(&mutex, 0), EDEADLK);
	assert_int_equal(plf_mutex_timedlock(&mutex, UINT64_MAX), EDEADLK);
	assert_ok(plf_mutex_unlock(&outer));
	end_holder();
	lock_at_any_time(&mutex);
}

static void others_stand_in_line_on(void **state)
{
	(void)state;
	if (!has_global_mutexes())
		return;
	plf_mutex_init_global(&mutex);
	others_wait_on(&mutex, 1, PLF_GLOBAL_BAND + WAITER);
}

static void global_death_is_reported(void **state)
{
	(void)state;
	if (!has_global_mutexes())
		return;
	plf_mutex_init_global(&mutex);
	death_is_reported(&mutex, 1);
}

static void hold_on_cpu_0(void *other)
{
	sem_wait(&may_wait[1]);
	assert_ok(plf_mutex_lock(other));
	sem_post(&here);
	sem_wait(&may_wait[1]);
	assert_ok(plf_mutex_unlock(other));
}

/* The waiter is granted the mutex behind a more urgent section of its CPU, and gives it back. */
static void granted_mutex_is_given_back(void **state)
{
	plf_mutex_t other = PLF_MUTEX_GLOBAL_INITIALIZER;
	struct member waiter, urgent;

	(void)state;
	if (!on_ceiling_stack() || !has_global_mutexes())
		return;
	plf_mutex_init_global(&mutex);
	start(&waiter, BELOW, wait_till_the_deadline, NULL);
	start(&urgent, URGENT, hold_on_cpu_0, &other);
	start_holder(&mutex, 1);
	sem_post(&may_wait[0]);
	await_asleep(&waiter);
	sem_post(&may_wait[1]);
	sem_wait(&here);
	end_holder();
	join(&waiter);
	assert_int_equal(__atomic_load_n(&mutex.holder, __ATOMIC_SEQ_CST), 0);
	sem_post(&may_wait[1]);
	join(&urgent);
	lock_at_any_time(&mutex);
	lock_at_any_time(&other);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		timed_test(free_mutex_is_locked_at_any_time),
		timed_test(held_mutex_times_out),
		timed_test(signal_handler_does_not_end_the_wait),
		timed_test(others_wait_on_when_one_gives_up),
		timed_test(second_gate_is_given_up),
		timed_test(death_inside_is_reported),
		timed_test(global_mutex_times_out),
		timed_test(no_spinning_beyond_the_time),
		timed_test(global_mutex_is_not_waited_for_inside),
		timed_test(others_stand_in_line_on),
		timed_test(global_death_is_reported),
		timed_test(granted_mutex_is_given_back),
	};

	return cmocka_run_group_tests_name("timed lock", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
