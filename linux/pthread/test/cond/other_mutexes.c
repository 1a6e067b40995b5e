/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Condition variables with the C library's mutexes. They are the C library's until they are used
 * with a priority-protect mutex; then they serve both.
 */
#include "../../../real_time/test/patience.h"
#include "ours.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t plain, protect;
static pthread_cond_t cond;
static int tokens;

static int setup(void **state)
{
	assert_ok(pthread_mutex_init(&plain, NULL));
	make_mutex(&protect, 60, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_cond_init(&cond, NULL));
	tokens = 0;
	return prepare_main(state);
}

#define mutexes_test(f) cmocka_unit_test_setup(f, setup)

/* glibc counts its waits in the lower half of this word, in steps of 2. */
static uint32_t waits_of_libc(const pthread_cond_t *where)
{
	uint32_t half;

	memcpy(&half, &where->__data.__wseq, sizeof(half));
	return half / 2;
}

static void take_a_token(void *mutex)
{
	assert_ok(pthread_mutex_lock(mutex));
	while (tokens == 0)
		assert_ok(pthread_cond_wait(&cond, mutex));
	tokens--;
	note('t');
	assert_ok(pthread_mutex_unlock(mutex));
}

static void hand_over(pthread_mutex_t *mutex)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 1);
	struct member waiter;

	forget_notes();
	start(&waiter, 20, take_a_token, mutex);
	assert_string_equal(notes(), "");
	assert_ok(pthread_mutex_lock(mutex));
	tokens = 1;
	assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_mutex_unlock(mutex));
	join(&waiter);
	assert_string_equal(notes(), "t");
	assert_ok(pthread_mutex_lock(mutex));
	assert_int_equal(pthread_cond_timedwait(&cond, mutex, &end), ETIMEDOUT);
	assert_ok(pthread_mutex_unlock(mutex));
}

static void make_kind(int protocol, int robust)
{
	pthread_mutexattr_t attr;

	assert_ok(pthread_mutexattr_init(&attr));
	assert_ok(pthread_mutexattr_setprotocol(&attr, protocol));
	assert_ok(pthread_mutexattr_setrobust(&attr, robust));
	assert_ok(pthread_mutex_init(&plain, &attr));
	assert_ok(pthread_mutexattr_destroy(&attr));
}

static void those_of_libc_stay_libc_s(void **state)
{
	static const int protocols[] = { PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT };
	static const int robust[] = { PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_ROBUST };

	UNUSED(state);
	for (int i = 0; i < 4; i++) {
		make_kind(protocols[i % 2], robust[i / 2]);
		assert_ok(pthread_cond_init(&cond, NULL));
		hand_over(&plain);
		assert_int_equal(waits_of_libc(&cond), 2);
		hand_over(&plain);
		assert_int_equal(waits_of_libc(&cond), 4);
		assert_ok(pthread_cond_destroy(&cond));
	}
}

static void those_with_protect_are_ours(void **state)
{
	UNUSED(state);
	hand_over(&protect);
	assert_int_equal(waits_of_libc(&cond), are_ours() ? 0 : 2);
	assert_ok(pthread_cond_destroy(&cond));
}

static void one_after_the_other(void **state)
{
	UNUSED(state);
	for (int i = 0; i < 3; i++) {
		hand_over(&plain);
		assert_int_equal(waits_of_libc(&cond), are_ours() ? 2 : 4 * i + 2);
		hand_over(&protect);
	}
	assert_ok(pthread_cond_destroy(&cond));
}

/* After its destruction it is the C library's again, even without an init, which glibc permits. */
static void and_then_destroyed(void **state)
{
	uint32_t before;

	UNUSED(state);
	hand_over(&plain);
	hand_over(&protect);
	assert_ok(pthread_cond_destroy(&cond));
	before = waits_of_libc(&cond);
	hand_over(&plain);
	assert_int_equal(waits_of_libc(&cond), before + 2);
	assert_ok(pthread_cond_destroy(&cond));
	assert_ok(pthread_cond_init(&cond, NULL));
	hand_over(&plain);
	assert_int_equal(waits_of_libc(&cond), 2);
	assert_ok(pthread_cond_destroy(&cond));
}

/* "The effect ... is undefined", but it works with glibc. */
static void both_at_once(int (*wake)(pthread_cond_t *), int times)
{
	struct member first, second;

	forget_notes();
	assert_ok(pthread_cond_init(&cond, NULL));
	start(&first, 20, take_a_token, &plain);
	start(&second, 30, take_a_token, &protect);
	assert_string_equal(notes(), "");
	assert_ok(pthread_mutex_lock(&protect));
	assert_ok(pthread_mutex_lock(&plain));
	tokens = 2;
	assert_ok(pthread_mutex_unlock(&plain));
	assert_ok(pthread_mutex_unlock(&protect));
	for (int i = 0; i < times; i++)
		assert_ok(wake(&cond));
	join(&first);
	join(&second);
	assert_string_equal(notes(), "tt");
	assert_ok(pthread_cond_destroy(&cond));
}

static void both_at_the_same_time(void **state)
{
	UNUSED(state);
	both_at_once(pthread_cond_signal, 2);
	both_at_once(pthread_cond_broadcast, 1);
}

struct shared {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	int turn;
};

static struct shared *make_shared(void)
{
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t mutex_attr;
	pthread_condattr_t cond_attr;

	assert_true(shared != MAP_FAILED);
	assert_ok(pthread_mutexattr_init(&mutex_attr));
	assert_ok(pthread_mutexattr_setpshared(&mutex_attr, PTHREAD_PROCESS_SHARED));
	assert_ok(pthread_mutex_init(&shared->mutex, &mutex_attr));
	assert_ok(pthread_condattr_init(&cond_attr));
	assert_ok(pthread_condattr_setpshared(&cond_attr, PTHREAD_PROCESS_SHARED));
	assert_ok(pthread_cond_init(&shared->cond, &cond_attr));
	return shared;
}

static void take_turns(struct shared *shared, int mine)
{
	for (int i = 0; i < 100; i++) {
		assert_ok(pthread_mutex_lock(&shared->mutex));
		while (shared->turn % 2 != mine)
			assert_ok(pthread_cond_wait(&shared->cond, &shared->mutex));
		shared->turn++;
		assert_ok(pthread_cond_signal(&shared->cond));
		assert_ok(pthread_mutex_unlock(&shared->mutex));
	}
}

static void between_processes(void **state)
{
	struct shared *shared = make_shared();
	pid_t child = fork();

	UNUSED(state);
	if (child == 0) {
		plf_end_if_hung();
		take_turns(shared, 1);
		_exit(0);
	}
	assert_true(child > 0);
	take_turns(shared, 0);
	assert_int_equal(status_of(child), 0);
	assert_int_equal(shared->turn, 200);
	assert_true(waits_of_libc(&shared->cond) > 0);
	assert_ok(pthread_cond_destroy(&shared->cond));
	assert_ok(munmap(shared, sizeof(*shared)));
}

/* Within a process a shared condition variable works as any other. */
static void shared_with_a_protect_mutex(void **state)
{
	struct shared *shared = make_shared();

	UNUSED(state);
	memcpy(&cond, &shared->cond, sizeof(cond)); /* no thread has used it yet */
	hand_over(&protect);
	hand_over(&plain);
	assert_ok(pthread_cond_destroy(&cond));
	assert_ok(munmap(shared, sizeof(*shared)));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		mutexes_test(those_of_libc_stay_libc_s),
		mutexes_test(those_with_protect_are_ours),
		mutexes_test(one_after_the_other),
		mutexes_test(and_then_destroyed),
		mutexes_test(both_at_the_same_time),
		mutexes_test(between_processes),
		mutexes_test(shared_with_a_protect_mutex),
	};

	return cmocka_run_group_tests_name("other mutexes", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
