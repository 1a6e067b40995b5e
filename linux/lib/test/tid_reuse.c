/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A thread dies in a section, and another thread gets its TID. That revives nothing: the mutex
 * returns EOWNERDEAD, does not wait for the new thread, and does not belong to it.
 */
#include "../../real_time/test/patience.h"
#include "team.h"

#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { ATTEMPTS = 200 };

static plf_mutex_t mutex[PLF_DEPTH_MAX];
static plf_mutex_t own;
static bool are_global; /* are the mutexes of the victim global? */
static sem_t done;

static void die_inside(void *depth)
{
	for (int i = 0; i < *(int *)depth; i++)
		assert_ok(plf_mutex_lock(&mutex[i]));
	vanish();
}

static void live_on(void *unused)
{
	(void)unused;
	sem_wait(&done);
}

static void live_and_try_to_unlock(void *unused)
{
	(void)unused;
	for (int i = 0; i < PLF_DEPTH_MAX; i++)
		assert_int_equal(plf_mutex_unlock(&mutex[i]), EPERM);
	assert_ok(plf_mutex_lock(&own));
	assert_ok(plf_mutex_unlock(&own));
	sem_wait(&done);
}

static void leave(void *unused)
{
	(void)unused;
}

static void next_tid_is(int tid)
{
	int file = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);

	assert_true(file >= 0);
	assert_true(dprintf(file, "%d", tid - 1) > 0);
	close(file);
}

/*
 * Other processes take TIDs, too, so try until the member gets this TID. False: another thread has
 * it.
 */
static bool start_with_tid(struct member *member, int tid, bool attached)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		struct member miss;

		next_tid_is(tid);
		if (attached)
			start(member, 30, live_and_try_to_unlock, NULL);
		else
			start_stranger(member, 30, live_on, NULL);
		if (member->tid == tid)
			return true;
		assert_ok(sem_post(&done));
		join(member);
		start(&miss, 30, leave, NULL); /* takes another TID before the next attempt */
		join(&miss);
	}
	return false;
}

static void make_free(plf_mutex_t *one)
{
	if (are_global)
		plf_mutex_init_global(one);
	else
		assert_ok(plf_mutex_init(one, 40));
}

static bool is_reused(bool attached, int depth)
{
	struct member victim, heir;
	bool given;

	assert_ok(sem_init(&done, 0, 0));
	assert_ok(plf_mutex_init(&own, 99));
	for (int i = 0; i < PLF_DEPTH_MAX; i++)
		make_free(&mutex[i]);
	start(&victim, 20, die_inside, &depth);
	join(&victim);
	given = start_with_tid(&heir, victim.tid, attached);
	for (int i = depth - 1; i >= 0; i--) {
		assert_int_equal(plf_mutex_lock(&mutex[i]), EOWNERDEAD);
		assert_ok(plf_mutex_consistent(&mutex[i]));
		assert_ok(plf_mutex_unlock(&mutex[i]));
	}
	if (!given)
		return false;
	assert_ok(sem_post(&done)); /* so far the heir slept, and no thread waited for it */
	join(&heir);
	return true;
}

/* If a stranger gets the TID and keeps it, another victim has to die. */
static void reuse(bool attached, int depth)
{
	plf_await(is_reused(attached, depth));
}

static void by_an_attached_thread(void **state)
{
	(void)state;
	reuse(true, 1);
	reuse(true, 3);
}

static void by_a_stranger(void **state)
{
	(void)state;
	reuse(false, 1);
	reuse(false, 3);
}

/* Use all frames, the last included. */
static void at_full_depth(void **state)
{
	plf_mutex_t below = PLF_MUTEX_INITIALIZER(15);

	(void)state;
	reuse(true, PLF_DEPTH_MAX);
	reuse(false, PLF_DEPTH_MAX);
	assert_ok(plf_mutex_lock(&below));
	reuse(false, PLF_DEPTH_MAX - 1);
	assert_ok(plf_mutex_unlock(&below));
}

static int across_cpus(void **state)
{
	are_global = true;
	return attach_main(state);
}

static int on_one_cpu(void **state)
{
	are_global = false;
	return detach_main(state);
}

static void with_mutexes_across_cpus(void **state)
{
	(void)state;
	if (!has_global_mutexes())
		return;
	reuse(true, 1);
	reuse(false, 3);
	reuse(true, PLF_DEPTH_MAX);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(by_an_attached_thread),
		team_test(by_a_stranger),
		team_test(at_full_depth),
		cmocka_unit_test_setup_teardown(with_mutexes_across_cpus, across_cpus, on_one_cpu),
	};

	return cmocka_run_group_tests_name("TID reuse", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
