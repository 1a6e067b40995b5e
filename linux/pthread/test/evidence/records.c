/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/* The records of learning: counts, bounds, and several threads at once. */
#include "base.h"
#include "evidence.h"
#include "here.h"
#include "learn.h"
#include "registry.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, PAIRS = 200 };

/* Replaces the drop-in's function; here no thread has a ceiling. */
void plf_priority_base(int *policy, int *priority)
{
	struct sched_param param;

	pthread_getschedparam(pthread_self(), policy, &param);
	*priority = param.sched_priority;
}

/* Another thread does this just before the caller gets the registry's lock; NULL: nothing. */
static void (*meanwhile)(void);
static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;

void plf_registry_lock(void)
{
	void (*first)(void) = meanwhile;

	meanwhile = NULL;
	if (first != NULL)
		first();
	assert_int_equal(pthread_mutex_lock(&registry), 0);
}

void plf_registry_unlock(void)
{
	assert_int_equal(pthread_mutex_unlock(&registry), 0);
}

static int begin_anew(void **state)
{
	(void)state;
	plf_learn_thread_end();
	if (plf_evidence != NULL)
		munmap(plf_evidence, sizeof(*plf_evidence));
	plf_learn_start("records.json");
	return plf_learning ? 0 : -1;
}

static uint32_t new_mutex(void)
{
	static const struct plf_plain made = { .call_site = HERE, .order = 1 };
	static pthread_mutex_t mutex;

	return plf_learn_mutex(&made, &mutex, PTHREAD_PRIO_INHERIT, 0);
}

static void sleep_ms(long ms)
{
	const struct timespec time = { .tv_nsec = ms * 1000000 };

	nanosleep(&time, NULL);
}

static const struct plf_locker *only_locker(uint32_t mutex)
{
	const struct plf_locker *locker;

	assert_int_not_equal(plf_evidence_mutex(mutex)->lockers, 0);
	locker = &plf_evidence->locker[plf_evidence_mutex(mutex)->lockers - 1];
	assert_int_equal(locker->link.next, 0);
	return locker;
}

static void holds_are_measured(void **state)
{
	const struct plf_learn_wait wait = plf_learn_wait_for(0);
	uint32_t mutex = new_mutex();
	const struct plf_locker *locker;

	(void)state;
	for (int i = 0; i < 3; i++) {
		plf_learn_locked(mutex, i == 1 ? &wait : NULL);
		sleep_ms(i == 2 ? 5 : 1);
		plf_learn_unlocked(mutex);
		sleep_ms(20); /* this is no hold */
	}
	locker = only_locker(mutex);
	assert_int_equal(locker->locks, 3);
	assert_int_equal(locker->waits, 1);
	assert_in_range(locker->preempted, 0, 3);
	assert_true(locker->longest_hold_ns >= 5000000);
	assert_true(locker->total_hold_ns >= 7000000);
	assert_true(locker->total_hold_ns >= locker->longest_hold_ns + 2000000);
}

static bool is_inside(uint32_t mutex, uint32_t of)
{
	uint32_t number = plf_evidence_mutex(mutex)->inside;

	while (number != 0 && plf_evidence->nesting[number - 1].key != of)
		number = plf_evidence->nesting[number - 1].next;
	return number != 0;
}

static void nesting_is_what_was_held(void **state)
{
	uint32_t a = new_mutex(), b = new_mutex(), c = new_mutex();

	(void)state;
	for (int i = 0; i < 2; i++) {
		plf_learn_locked(a, NULL);
		plf_learn_locked(b, NULL);
		plf_learn_unlocked(a); /* in any order */
		plf_learn_locked(c, NULL);
		plf_learn_unlocked(b);
		plf_learn_unlocked(c);
	}
	assert_true(is_inside(b, a) && is_inside(c, b));
	assert_false(is_inside(c, a) || is_inside(a, b) || is_inside(b, c));
	assert_int_equal(plf_evidence->nestings, 2); /* each pair once */
}

static void unknown_mutexes_are_passed_over(void **state)
{
	(void)state;
	plf_learn_locked(0, NULL);
	plf_learn_unlocked(0);
	plf_learn_destroyed(0);
	plf_learn_unlocked(new_mutex()); /* locked before learning began */
	assert_int_equal(plf_evidence->lockers, 0);
}

static void mutexes_are_bounded(void **state)
{
	uint32_t locked;

	(void)state;
	for (uint32_t i = 1; i <= PLF_LEARN_MUTEXES; i++)
		assert_int_equal(new_mutex(), i);
	assert_int_equal(plf_evidence->dropped, 0);
	assert_int_equal(new_mutex(), 0);
	assert_int_equal(plf_evidence->dropped, 1);
	locked = 7;
	plf_learn_locked(locked, NULL);
	plf_learn_unlocked(locked);
	plf_learn_destroyed(locked);
	assert_int_equal(new_mutex(), 0); /* its evidence stays */
	plf_learn_destroyed(9);
	assert_int_equal(new_mutex(), 9); /* it had no evidence */
}

static void depth_is_bounded(void **state)
{
	uint32_t first = new_mutex(), last = first;

	(void)state;
	for (int i = 0; i < PLF_LEARN_DEPTH; i++)
		last = new_mutex();
	for (uint32_t mutex = first; mutex <= last; mutex++)
		plf_learn_locked(mutex, NULL);
	assert_int_equal(plf_evidence->dropped, 1);
	for (uint32_t mutex = first; mutex <= last; mutex++)
		plf_learn_unlocked(mutex);
	plf_learn_locked(last, NULL);
	plf_learn_unlocked(last);
	assert_int_equal(only_locker(last)->locks, 1);
	assert_int_equal(only_locker(first)->locks, 1);
}

static struct plf_identity identity_of(int priority)
{
	struct plf_identity identity = { .name = "worker", .policy = SCHED_FIFO, .cpu = 0 };

	identity.priority = priority;
	return identity;
}

static void an_ended_thread_goes_on_in_the_next_that_is_the_same(void **state)
{
	struct plf_identity low = identity_of(1), high = identity_of(2);
	struct plf_evidence_thread *first = plf_evidence_claim_thread(&low, gettid());

	(void)state;
	assert_ptr_not_equal(plf_evidence_claim_thread(&low, gettid()), first); /* it is alive */
	first->user = PLF_ENDED;
	assert_ptr_not_equal(plf_evidence_claim_thread(&high, gettid()), first);
	assert_ptr_equal(plf_evidence_claim_thread(&low, gettid()), first);
}

static void a_thread_that_vanished_has_ended(void **state)
{
	struct plf_identity identity = identity_of(1);
	struct plf_evidence_thread *first = plf_evidence_claim_thread(&identity, INT_MAX);

	(void)state;
	assert_ptr_equal(plf_evidence_claim_thread(&identity, gettid()), first);
}

static void threads_are_bounded(void **state)
{
	struct plf_identity identity = identity_of(1);

	(void)state;
	for (int i = 0; i < PLF_LEARN_THREADS; i++)
		assert_non_null(plf_evidence_claim_thread(&identity, gettid()));
	assert_null(plf_evidence_claim_thread(&identity, gettid()));
	assert_int_equal(plf_evidence->dropped, 1);
	plf_learn_locked(new_mutex(), NULL);
	assert_int_equal(plf_evidence->dropped, 2);
	assert_int_equal(plf_evidence->lockers, 0);
}

static void pin_to(const cpu_set_t *cpus)
{
	assert_int_equal(sched_setaffinity(0, sizeof(*cpus), cpus), 0);
	plf_learn_thread();
}

static void a_change_of_affinity_is_another_record(void **state)
{
	uint32_t outer = new_mutex(), inner = new_mutex();
	const struct plf_locker *now, *before;
	cpu_set_t all, one;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	plf_learn_locked(outer, NULL);
	pin_to(&one);
	plf_learn_locked(inner, NULL); /* a hold belongs to one record */
	assert_int_equal(plf_evidence->threads, 1);
	plf_learn_unlocked(inner);
	plf_learn_unlocked(outer);
	plf_learn_locked(outer, NULL);
	plf_learn_unlocked(outer);
	pin_to(&all);
	now = &plf_evidence->locker[plf_evidence_mutex(outer)->lockers - 1];
	before = &plf_evidence->locker[now->link.next - 1];
	assert_int_equal(plf_evidence->thread[now->link.key - 1].is.cpu, 0);
	assert_int_equal(plf_evidence->thread[before->link.key - 1].is.cpu,
			 CPU_COUNT(&all) == 1 ? 0 : -1);
	assert_int_equal(now->locks, 1);
	assert_int_equal(before->locks, 1);
}

static const struct plf_waited_for *entry_of(const struct plf_locker *locker, uint32_t holder)
{
	uint32_t number = locker->waited_for;

	while (number != 0 && plf_evidence->wait[number - 1].link.key != holder)
		number = plf_evidence->wait[number - 1].link.next;
	assert_int_not_equal(number, 0);
	return &plf_evidence->wait[number - 1];
}

/* A thread without a record, because it did nothing that was seen. */
static void *be_waited_for(void *tid)
{
	static const struct timespec ever = { .tv_sec = 1000 };

	__atomic_store_n((pid_t *)tid, gettid(), __ATOMIC_RELEASE);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	while (nanosleep(&ever, NULL) == 0)
		;
	return NULL;
}

static void a_wait_names_the_thread_that_had_the_mutex(void **state)
{
	uint32_t mutex = new_mutex();
	struct plf_learn_wait wait;
	pthread_t thread;
	pid_t tid = 0;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, be_waited_for, &tid), 0);
	while (__atomic_load_n(&tid, __ATOMIC_ACQUIRE) == 0)
		sched_yield();
	for (int i = 0; i < 3; i++) {
		wait = plf_learn_wait_for(i == 2 ? 0 : (uint32_t)tid);
		sleep_ms(i == 1 ? 5 : 1);
		if (i == 1)
			plf_learn_gave_up(mutex, &wait);
		else
			plf_learn_locked(mutex, &wait);
		plf_learn_unlocked(mutex);
	}
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	assert_int_equal(only_locker(mutex)->locks, 2);
	assert_int_equal(only_locker(mutex)->waits, 3);
	assert_int_equal(plf_evidence->thread[0].user, tid);
	assert_int_equal(plf_evidence->thread[0].is.policy, SCHED_OTHER);
	assert_int_equal(entry_of(only_locker(mutex), 1)->waits, 2);
	assert_true(entry_of(only_locker(mutex), 1)->longest_ns >= 5000000);
	assert_int_equal(entry_of(only_locker(mutex), 0)->waits, 1);
}

static void a_thread_that_was_seen_first_goes_on_in_that_record(void **state)
{
	uint32_t mutex = new_mutex();

	(void)state;
	assert_int_equal(plf_learn_wait_for((uint32_t)gettid()).holder, 1);
	assert_int_equal(plf_evidence->thread[0].is.start.offset, 0);
	plf_learn_locked(mutex, NULL);
	plf_learn_unlocked(mutex);
	assert_int_equal(only_locker(mutex)->link.key, 1);
	assert_int_not_equal(plf_evidence->thread[0].is.start.offset, 0);
	assert_int_equal(plf_evidence->threads, 1);
}

static uint32_t seen_meanwhile;

static void *wait_for(void *tid)
{
	seen_meanwhile = plf_learn_wait_for(*(uint32_t *)tid).holder;
	return NULL;
}

static void another_waits_for_the_caller(void)
{
	uint32_t tid = (uint32_t)gettid();
	pthread_t other;

	assert_int_equal(pthread_create(&other, NULL, wait_for, &tid), 0);
	pthread_join(other, NULL);
}

static void a_thread_that_is_seen_while_it_comes_forward_has_one_record(void **state)
{
	uint32_t mutex = new_mutex();

	(void)state;
	seen_meanwhile = 0;
	meanwhile = another_waits_for_the_caller;
	plf_learn_locked(mutex, NULL);
	plf_learn_unlocked(mutex);
	assert_int_equal(seen_meanwhile, 1);
	assert_int_equal(only_locker(mutex)->link.key, 1);
	assert_int_equal(plf_evidence->threads, 1);
}

/* A thread that locks when it may, and stays. */
static struct locking {
	pid_t tid;
	uint32_t mutex;
	bool may_lock, locked;
} locking;

static void wait_until(const bool *is_true)
{
	while (!__atomic_load_n(is_true, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void *lock_when_allowed(void *unused)
{
	__atomic_store_n(&locking.tid, gettid(), __ATOMIC_RELEASE);
	wait_until(&locking.may_lock);
	plf_learn_locked(locking.mutex, NULL);
	__atomic_store_n(&locking.locked, true, __ATOMIC_RELEASE);
	be_waited_for(&locking.tid);
	return unused;
}

static void the_other_locks(void)
{
	__atomic_store_n(&locking.may_lock, true, __ATOMIC_RELEASE);
	wait_until(&locking.locked);
}

static void a_thread_that_comes_forward_while_it_is_seen_has_one_record(void **state)
{
	pthread_t thread;

	(void)state;
	locking = (struct locking) { .mutex = new_mutex() };
	assert_int_equal(pthread_create(&thread, NULL, lock_when_allowed, NULL), 0);
	while (__atomic_load_n(&locking.tid, __ATOMIC_ACQUIRE) == 0)
		sched_yield();
	meanwhile = the_other_locks;
	assert_int_equal(plf_learn_wait_for((uint32_t)locking.tid).holder, 1);
	assert_true(locking.locked);
	assert_int_equal(only_locker(locking.mutex)->link.key, 1);
	assert_int_equal(plf_evidence->threads, 1);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
}

static void an_activation_is_a_return_from_sleep(void **state)
{
	const struct plf_evidence_thread *self = &plf_evidence->thread[0];

	(void)state;
	for (int i = 0; i < 5; i++) {
		plf_learn_wait_begin();
		sleep_ms(3);
		plf_learn_wait_end();
		plf_learn_wait_begin(); /* a call that returned at once */
		plf_learn_wait_end();
	}
	assert_int_equal(self->activations, 5);
	assert_true(self->shortest_gap_ns >= 3000000);
	assert_true(self->longest_run_ns > 0);
	assert_true(self->longest_run_ns < self->shortest_gap_ns); /* sleep is not CPU time */
}

static void errno_is_kept(void **state)
{
	const struct plf_learn_wait wait = plf_learn_wait_for(0);
	uint32_t mutex = new_mutex();

	(void)state;
	errno = EXDEV;
	plf_learn_wait_begin();
	plf_learn_wait_end();
	plf_learn_locked(mutex, &wait);
	plf_learn_unlocked(mutex);
	assert_int_equal(errno, EXDEV);
}

static void *nest_all(void *unused)
{
	for (uint32_t held = 1; held <= PAIRS; held++)
		plf_evidence_nest(PLF_LEARN_MUTEXES, held);
	return unused;
}

static void several_threads_make_each_pair_once(void **state)
{
	pthread_t thread[THREADS];
	int times[PAIRS + 1] = { 0 };
	uint32_t number;

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, nest_all, NULL), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (number = plf_evidence_mutex(PLF_LEARN_MUTEXES)->inside; number != 0;
	     number = plf_evidence->nesting[number - 1].next)
		times[plf_evidence->nesting[number - 1].key]++;
	for (int i = 1; i <= PAIRS; i++)
		assert_int_equal(times[i], 1);
	assert_int_equal(plf_evidence->dropped, 0);
}

static void nestings_are_bounded(void **state)
{
	(void)state;
	for (uint32_t held = 1; held <= PLF_LEARN_NESTINGS + 5; held++)
		plf_evidence_nest(1 + held / 4000, held);
	assert_int_equal(plf_evidence->nestings, PLF_LEARN_NESTINGS);
	assert_int_equal(plf_evidence->dropped, 5);
}

static void a_child_begins_anew_with_the_same_mutexes(void **state)
{
	uint32_t a = new_mutex(), b = new_mutex();

	(void)state;
	plf_learn_locked(a, NULL);
	plf_learn_locked(b, NULL);
	plf_learn_after_fork();
	assert_int_equal(plf_evidence_mutex(b)->lockers, 0);
	assert_int_equal(plf_evidence_mutex(b)->inside, 0);
	plf_learn_unlocked(b); /* of a hold that the parent measures */
	plf_learn_locked(a, NULL);
	plf_learn_unlocked(a);
	assert_int_equal(only_locker(a)->locks, 1);
	assert_int_equal(only_locker(a)->link.key, 1);
	assert_int_equal(plf_evidence_mutex(b)->lockers, 0);
}

#define FRESH(test) cmocka_unit_test_setup(test, begin_anew)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FRESH(holds_are_measured),
		FRESH(nesting_is_what_was_held),
		FRESH(unknown_mutexes_are_passed_over),
		FRESH(mutexes_are_bounded),
		FRESH(depth_is_bounded),
		FRESH(an_ended_thread_goes_on_in_the_next_that_is_the_same),
		FRESH(a_thread_that_vanished_has_ended),
		FRESH(threads_are_bounded),
		FRESH(a_change_of_affinity_is_another_record),
		FRESH(a_wait_names_the_thread_that_had_the_mutex),
		FRESH(a_thread_that_was_seen_first_goes_on_in_that_record),
		FRESH(a_thread_that_is_seen_while_it_comes_forward_has_one_record),
		FRESH(a_thread_that_comes_forward_while_it_is_seen_has_one_record),
		FRESH(an_activation_is_a_return_from_sleep),
		FRESH(errno_is_kept),
		FRESH(several_threads_make_each_pair_once),
		FRESH(nestings_are_bounded),
		FRESH(a_child_begins_anew_with_the_same_mutexes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
