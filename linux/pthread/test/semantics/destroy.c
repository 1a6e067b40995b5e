/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Destroying a mutex: refused while it is held. The last holder may destroy the mutex and free its
 * memory as soon as it has unlocked it, while the previous holder is still inside its unlock.
 */
#include "team.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROUNDS = 1500 };

static pthread_mutex_t mutex;

static void refused_while_held(void **state)
{
	UNUSED(state);
	for (int type = PTHREAD_MUTEX_NORMAL; type <= PTHREAD_MUTEX_ERRORCHECK; type++) {
		make_mutex(&mutex, 40, type);
		assert_ok(pthread_mutex_lock(&mutex));
		assert_int_equal(pthread_mutex_destroy(&mutex), EBUSY);
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_ok(pthread_mutex_destroy(&mutex));
	}
}

static void hold(void *sem)
{
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(sem_wait(sem));
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void refused_while_another_holds_it(void **state)
{
	struct member holder;
	sem_t sem;

	UNUSED(state);
	assert_ok(sem_init(&sem, 0, 0));
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	start(&holder, 20, hold, &sem);
	await_sleep(&holder);
	assert_int_equal(pthread_mutex_destroy(&mutex), EBUSY);
	assert_ok(sem_post(&sem));
	join(&holder);
	assert_ok(pthread_mutex_destroy(&mutex));
}

/* The same memory is used again, with another ceiling and another protocol. */
static void made_anew_in_the_same_place(void **state)
{
	static const int ceilings[] = { 40, 20, 60 };

	UNUSED(state);
	for (int i = 0; i < 3; i++) {
		make_mutex(&mutex, ceilings[i], PTHREAD_MUTEX_NORMAL);
		assert_ok(pthread_mutex_lock(&mutex));
		assert_int_equal(effective_priority(), ceilings[i]);
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_ok(pthread_mutex_destroy(&mutex));
		assert_ok(pthread_mutex_init(&mutex, NULL));
		assert_ok(pthread_mutex_lock(&mutex));
		assert_int_equal(effective_priority(), LOW);
		assert_ok(pthread_mutex_unlock(&mutex));
		assert_ok(pthread_mutex_destroy(&mutex));
	}
}

/* Each round has its own page, so that a late access is a fault. */
static struct page {
	pthread_mutex_t mutex;
	int users;
} * _Atomic page;
static size_t page_size;
static sem_t first_done, second_go;

static void leave(struct page *left)
{
	bool last;

	assert_ok(pthread_mutex_lock(&left->mutex));
	last = --left->users == 0;
	assert_ok(pthread_mutex_unlock(&left->mutex));
	if (last) {
		assert_ok(pthread_mutex_destroy(&left->mutex));
		assert_ok(munmap(left, page_size));
	}
}

static void second_user(void *unused)
{
	UNUSED(unused);
	for (unsigned i = 0; i < ROUNDS; i++) {
		assert_ok(sem_wait(&second_go));
		stay_busy_us(i % 8);
		leave(page);
		assert_ok(sem_post(&first_done));
	}
}

static void freed_by_the_last_user(int cpu)
{
	struct member second;

	page_size = (size_t)sysconf(_SC_PAGESIZE);
	assert_ok(sem_init(&first_done, 0, 0));
	assert_ok(sem_init(&second_go, 0, 0));
	start_on(&second, cpu, 20, second_user, NULL);
	for (unsigned i = 0; i < ROUNDS; i++) {
		page = mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
		assert_true(page != MAP_FAILED);
		make_mutex(&page->mutex, 40, PTHREAD_MUTEX_NORMAL);
		page->users = 2;
		assert_ok(sem_post(&second_go));
		leave(page);
		assert_ok(sem_wait(&first_done));
	}
	join(&second);
}

static void freed_at_once_on_two_cpus(void **state)
{
	UNUSED(state);
	freed_by_the_last_user(1);
}

/* The member waits for main inside, and frees the page before main's unlock returns. */
static void take_and_free(void *go)
{
	assert_ok(sem_wait(go));
	leave(page);
}

static void freed_at_once_on_one_cpu(void **state)
{
	struct member high;
	struct page *mine;
	sem_t go;

	UNUSED(state);
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	assert_ok(sem_init(&go, 0, 0));
	for (int i = 0; i < 200; i++) {
		page = mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
		assert_true(page != MAP_FAILED);
		make_mutex(&page->mutex, 40, PTHREAD_MUTEX_NORMAL);
		page->users = 2;
		start(&high, 20, take_and_free, &go);
		mine = page;
		assert_ok(pthread_mutex_lock(&mine->mutex));
		mine->users--;
		assert_ok(sem_post(&go));
		assert_ok(pthread_mutex_unlock(&mine->mutex));
		join(&high);
	}
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(refused_while_held),		team_test(refused_while_another_holds_it),
		team_test(made_anew_in_the_same_place), team_test(freed_at_once_on_one_cpu),
		team_test(freed_at_once_on_two_cpus),
	};

	return cmocka_run_group_tests_name("destroy", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
