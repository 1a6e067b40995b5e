/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * member.c alone: the table of known threads. Some threads end without notice, and others get their
 * TID or their memory. The test gives the kernel's answers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <signal.h>

static int kernel_knows(int process, int tid, int signal);
static void store_seen(const void *word);
#define tgkill				     kernel_knows
#define __atomic_store_n(word, value, order) (store_seen(word), (void)(*(word) = (value)))
#include "member.c"
#undef tgkill
#undef __atomic_store_n

#include <semaphore.h>
#include <stdio.h>
#include <time.h>

int plf_lock_libc_first(pthread_mutex_t *mutex)
{
	return pthread_mutex_lock(mutex);
}

static int gone; /* no thread has this TID */

static int kernel_knows(int process, int tid, int signal)
{
	assert_int_equal(process, getpid());
	assert_int_equal(signal, 0);
	return tid == gone ? -1 : 0;
}

static const void *first_stored;

static void store_seen(const void *word)
{
	if (first_stored == NULL)
		first_stored = word;
}

static struct plf_member *found(uint32_t tid)
{
	struct plf_member *member;

	plf_registry_lock();
	member = plf_member_of_tid(tid);
	plf_registry_unlock();
	return member;
}

static void begin(uint32_t tid)
{
	plf_me.tid = tid;
	plf_member_enter(tid);
	plf_me.known = true;
}

static void end(void)
{
	plf_member_enter(0);
	plf_me.known = false;
}

/* As a thread ends by a system call. */
static void end_without_a_word(void)
{
	plf_me.known = false;
}

static int no_thread_is_known(void **unused)
{
	(void)unused;
	gone = 0;
	plf_me.known = false;
	plf_me.tid = 0;
	plf_member_is_alone(0);
	return 0;
}

#define known_test(f) cmocka_unit_test_setup(f, no_thread_is_known)

static void known_from_its_beginning_to_its_end(void **unused)
{
	(void)unused;
	assert_null(found(10));
	begin(10);
	assert_ptr_equal(found(10), &plf_me);
	assert_ptr_equal(plf_member_of(pthread_self()), &plf_me);
	assert_null(found(11));
	end();
	assert_null(found(10));
	assert_null(plf_member_of(pthread_self()));
}

static void one_that_the_kernel_does_not_know_is_not_found(void **unused)
{
	(void)unused;
	begin(10);
	gone = 10;
	assert_null(found(10));
}

/* Each thread has another TID. The library has room for THREADS at a time. */
static void any_number_one_after_the_other(void **unused)
{
	(void)unused;
	for (uint32_t tid = 1; tid <= 2 * THREADS; tid++) {
		begin(tid);
		assert_ptr_equal(found(tid), &plf_me);
		end();
	}
}

static void one_with_the_memory_of_another_replaces_it(void **unused)
{
	(void)unused;
	for (uint32_t tid = 1; tid <= 2 * THREADS; tid++) {
		begin(tid);
		assert_ptr_equal(found(tid), &plf_me);
		assert_null(found(tid - 1));
		end_without_a_word();
	}
}

/* Also if the entry follows a free entry that was the caller's. */
static void one_with_its_own_memory_is_replaced(void **unused)
{
	(void)unused;
	known[0] = (struct known) { .thread = pthread_self() };
	known[1] = (struct known) { .tid = 5, .thread = pthread_self() };
	begin(10);
	assert_ptr_equal(found(10), &plf_me);
	assert_null(found(5));
}

static void *begin_as(void *tid)
{
	begin(*(const uint32_t *)tid);
	return NULL;
}

static void one_with_the_tid_of_another_replaces_it(void **unused)
{
	static uint32_t tid = 10;
	pthread_t other;

	(void)unused;
	assert_int_equal(pthread_create(&other, NULL, begin_as, &tid), 0);
	assert_int_equal(pthread_join(other, NULL), 0);
	begin(tid);
	assert_ptr_equal(found(tid), &plf_me);
	end();
	assert_null(found(tid));
}

/* No call by TID finds the thread, but no other thread's entry is lost. */
static void one_too_many_is_not_known(void **unused)
{
	(void)unused;
	for (uint32_t i = 0; i < THREADS; i++)
		known[i] = (struct known) { .tid = 100 + i };
	begin(10);
	assert_null(found(10));
	for (uint32_t i = 0; i < THREADS; i++)
		assert_int_equal(known[i].tid, 100 + i);
}

/* ---- Beside others ------------------------------------------------------ */

static sem_t began;
static _Atomic int tid_of_late;
static _Atomic bool is_in;

static void *enter_late(void *tid)
{
	tid_of_late = gettid();
	sem_post(&began);
	begin(*(const uint32_t *)tid);
	is_in = true;
	return NULL;
}

static bool sleeps(int tid)
{
	char path[64], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%*d (%*[^)]) %c", &state), 1);
	fclose(file);
	return state == 'S';
}

static void entering_waits_for_the_registry(void **unused)
{
	static const struct timespec moment = { .tv_nsec = 1000000 };
	static uint32_t tid = 10;
	pthread_t late;

	(void)unused;
	sem_init(&began, 0, 0);
	plf_registry_lock();
	assert_int_equal(pthread_create(&late, NULL, enter_late, &tid), 0);
	sem_wait(&began);
	while (!is_in && !sleeps(tid_of_late))
		nanosleep(&moment, NULL);
	assert_false(is_in);
	plf_registry_unlock();
	assert_int_equal(pthread_join(late, NULL), 0);
	assert_true(is_in);
}

/* ---- After fork() ------------------------------------------------------- */

static void alone_it_is_known_by_its_new_tid_only(void **unused)
{
	(void)unused;
	known[0] = (struct known) { .tid = 9 };
	begin(10);
	plf_member_is_alone(20);
	assert_int_equal(plf_me.tid, 20);
	assert_ptr_equal(found(20), &plf_me);
	assert_null(found(9));
	assert_null(found(10));
}

static void alone_and_not_known_it_is_not_known_by_any_tid(void **unused)
{
	(void)unused;
	plf_member_is_alone(20);
	plf_me.known = true;
	assert_null(found(20));
}

/* The parent's other thread was just setting the caller's priority. */
static void alone_it_finds_its_priority_unlocked(void **unused)
{
	(void)unused;
	assert_int_equal(pthread_mutex_lock(&plf_me.change), 0);
	plf_member_is_alone(20);
	assert_int_equal(pthread_mutex_trylock(&plf_me.change), 0);
	assert_int_equal(pthread_mutex_unlock(&plf_me.change), 0);
}

/* ---- Strangers ---------------------------------------------------------- */

static void look_settled(struct plf_member *member)
{
	static uint64_t top;

	*member = (struct plf_member) {
		.top = &top, .rank = 20, .cover = 20, .local = 1, .settled = true
	};
}

/* Each of these words alone makes a fast path refuse. */
static void assert_strange(const struct plf_member *member)
{
	assert_ptr_equal(member->top, &plf_stranger_top);
	assert_int_equal(member->rank, PLF_RANK_FAR);
	assert_int_equal(member->cover, PLF_RANK_FAR);
	assert_int_equal(member->local, 0);
}

static void a_stranger_takes_no_fast_path(void **unused)
{
	struct plf_member member;

	(void)unused;
	look_settled(&member);
	plf_look_like_stranger(&member);
	assert_strange(&member);
	assert_true(member.settled);
}

/* A thread that settles meanwhile reads `settled` last, after it has written its other words. */
static void settled_is_the_first_to_go(void **unused)
{
	struct plf_member member;

	(void)unused;
	look_settled(&member);
	first_stored = NULL;
	plf_unsettle(&member);
	assert_ptr_equal(first_stored, &member.settled);
	assert_strange(&member);
	assert_false(member.settled);
}

/* ---- The highest section ------------------------------------------------ */

static void highest_is_the_highest_of_those_kept_so(void **unused)
{
	static struct plf_member member;

	(void)unused;
	assert_null(plf_highest(&member, PLF_KEPT_EAGERLY));
	member.section[3] = (struct plf_section) { .ceiling = 50, .kept = PLF_KEPT_BY_FRAME };
	assert_null(plf_highest(&member, PLF_KEPT_EAGERLY));
	member.section[5] = (struct plf_section) { .ceiling = 20, .kept = PLF_KEPT_EAGERLY };
	member.section[7] = (struct plf_section) { .ceiling = 40, .kept = PLF_KEPT_EAGERLY };
	member.section[PLF_SECTIONS - 1] =
		(struct plf_section) { .ceiling = 30, .kept = PLF_KEPT_EAGERLY };
	assert_ptr_equal(plf_highest(&member, PLF_KEPT_EAGERLY), &member.section[7]);
	member.section[PLF_SECTIONS - 1].ceiling = 60;
	assert_ptr_equal(plf_highest(&member, PLF_KEPT_EAGERLY), &member.section[PLF_SECTIONS - 1]);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		known_test(known_from_its_beginning_to_its_end),
		known_test(one_that_the_kernel_does_not_know_is_not_found),
		known_test(any_number_one_after_the_other),
		known_test(one_with_the_memory_of_another_replaces_it),
		known_test(one_with_its_own_memory_is_replaced),
		known_test(one_with_the_tid_of_another_replaces_it),
		known_test(one_too_many_is_not_known),
		known_test(entering_waits_for_the_registry),
		known_test(alone_it_is_known_by_its_new_tid_only),
		known_test(alone_and_not_known_it_is_not_known_by_any_tid),
		known_test(alone_it_finds_its_priority_unlocked),
		cmocka_unit_test(a_stranger_takes_no_fast_path),
		cmocka_unit_test(settled_is_the_first_to_go),
		cmocka_unit_test(highest_is_the_highest_of_those_kept_so),
	};

	return cmocka_run_group_tests_name("known", all, NULL, NULL);
}
