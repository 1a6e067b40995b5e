/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * place.c alone: the remains of a place that a thread gives up, and the order of the changes that
 * other threads can see.
 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "place.h"

#include "frames.h"
#include "registry.h"
#include "robust_list.h"
#include "stats.h"

static void lock_seen(void);
static void unlock_seen(void);
static void store_seen(uint32_t *word, uint32_t value);
static void fence_seen(int order);
static void abandon_seen(struct plf_thread *place);
#define plf_registry_lock     lock_seen
#define plf_registry_unlock   unlock_seen
#define plf_store32	      store_seen
#define __atomic_thread_fence fence_seen
#define plf_frames_abandon    abandon_seen
#include "place.c"
#undef plf_registry_lock
#undef plf_registry_unlock
#undef plf_store32
#undef __atomic_thread_fence
#undef plf_frames_abandon

/* ---- The library of place.c ---------------------------------------------- */

__thread struct plf_stats_counts plf_counts;

int plf_lock_libc_first(pthread_mutex_t *mutex)
{
	return pthread_mutex_lock(mutex);
}

int plf_lock_libc_inside(pthread_mutex_t *mutex)
{
	return pthread_mutex_lock(mutex);
}

/* ---- The steps, in order ------------------------------------------------- */

enum { FRAMES = 3 };

static struct plf_thread *place; /* the caller's present or last place */
static void *list;		 /* the caller's robust mutexes, without the place */
static bool fenced, abandoned;
static int locks, unlocks;

static bool is_in_list(void)
{
	return plf_robust_list_head()->list.next != list;
}

static void lock_seen(void)
{
	assert_int_equal(plf_slot_of(place)->used, 1);
	locks++;
	plf_registry_lock();
}

static void unlock_seen(void)
{
	assert_int_equal(plf_slot_of(place)->used, 0);
	unlocks++;
	plf_registry_unlock();
}

/* When the place is marked as dead, its frames have been counted, and the kernel cannot find it. */
static void store_seen(uint32_t *word, uint32_t value)
{
	assert_ptr_equal(word, &place->life.word);
	assert_int_equal(plf_slot_of(place)->left, FRAMES + 1);
	assert_false(is_in_list());
	plf_store32(word, value);
}

/* A comer reads the life after it has shut a gate, so one of the two sees the other. */
static void fence_seen(int order)
{
	assert_int_equal(order, __ATOMIC_SEQ_CST);
	assert_true(plf_is_dead(place));
	assert_false(abandoned);
	fenced = true;
}

static void abandon_seen(struct plf_thread *dead)
{
	assert_ptr_equal(dead, place);
	assert_true(fenced);
	abandoned = true;
	plf_frames_abandon(dead);
}

/* ---- Places ------------------------------------------------------------- */

static int cpu;

static void take_one(void)
{
	assert_true(plf_take_place(cpu));
	place = plf_me.place;
	plf_me.top = place->top;
	plf_me.rank = plf_me.cover = place->rank;
	plf_me.settled = true;
}

static void assert_gone(void)
{
	assert_null(plf_me.place);
	assert_ptr_equal(plf_me.top, &plf_stranger_top);
	assert_int_equal(plf_me.rank, PLF_RANK_FAR);
	assert_false(is_in_list());
}

static int begin(void **unused)
{
	(void)unused;
	fenced = abandoned = false;
	locks = unlocks = 0;
	assert_false(is_in_list());
	return 0;
}

#define place_test(f) cmocka_unit_test_setup(f, begin)

static void one_that_is_taken_is_the_callers(void **unused)
{
	(void)unused;
	take_one();
	assert_int_equal(plf_slot_of(place)->used, 1);
	assert_int_equal(place->tid, plf_me.tid);
	assert_ptr_equal(place->top, &plf_arena->stack[cpu].top);
	assert_ptr_equal(place->cpu_now, &plf_me.rseq->cpu_id);
	assert_true(is_in_list());
	plf_give_up_place();
}

static void one_that_is_given_up_is_free(void **unused)
{
	(void)unused;
	take_one();
	plf_give_up_place();
	assert_gone();
	assert_int_equal(locks, 1);
	assert_int_equal(unlocks, 1);
	plf_give_up_place();
	assert_gone();
	assert_int_equal(locks, 1);
}

static void one_that_is_left_behind_waits_for_its_frames(void **unused)
{
	(void)unused;
	take_one();
	for (int i = 0; i < FRAMES; i++) {
		assert_int_equal(plf_frame_push(30 + i), i);
		plf_me.section[i].kept = PLF_KEPT_BY_FRAME;
	}
	plf_leave_place_behind();
	memset(plf_me.section, 0, sizeof(plf_me.section));
	assert_gone();
	assert_true(abandoned);
	assert_false(plf_me.settled);
	assert_int_equal(plf_me.published, 0);
	assert_int_equal(plf_slot_of(place)->used, 1);
}

static void there_are_no_more_than_there_are(void **unused)
{
	int count = 0;

	(void)unused;
	while (plf_take_place(cpu)) {
		plf_me.place = NULL;
		assert_true(count++ < PLF_THREAD_MAX);
	}
	assert_null(plf_me.place);
}

/* A child whose parent was just moved to another CPU may find frames in a circle. */
static void in_a_child_a_circle_of_frames_ends(void **unused)
{
	struct plf_thread *other;

	(void)unused;
	take_one();
	other = place;
	plf_robust_list_leave(other);
	take_one();
	other->frame[0].prev = plf_word(other->frame[1].ref, 40);
	other->frame[1].prev = plf_word(other->frame[0].ref, 40);
	*place->top = other->frame[0].prev;
	plf_arena_after_fork(plf_slot_of(place), 2);
	assert_int_equal(*place->top, 0);
	assert_int_equal(place->tid, 2);
	plf_give_up_place();
}

static int stay_on_one_cpu(void **unused)
{
	cpu_set_t set;

	(void)unused;
	list = plf_robust_list_head()->list.next;
	cpu = sched_getcpu();
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	plf_me.rseq = plf_rseq_area();
	plf_me.cpu = (uint32_t)cpu;
	plf_me.tid = 1;
	plf_me.priority = 20;
	return sched_setaffinity(0, sizeof(set), &set);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		place_test(one_that_is_taken_is_the_callers),
		place_test(one_that_is_given_up_is_free),
		place_test(one_that_is_left_behind_waits_for_its_frames),
		place_test(in_a_child_a_circle_of_frames_ends),
		place_test(there_are_no_more_than_there_are),
	};

	return cmocka_run_group_tests_name("places", all, stay_on_one_cpu, NULL);
}
