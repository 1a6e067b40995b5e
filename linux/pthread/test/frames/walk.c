/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Three races on a ceiling stack. A walk down the stack: before each of its loads a frame above the
 * walker's own frame goes, its thread ends, and another thread begins, on this CPU or another. A
 * look at the newest frame, whose owner leaves it behind. And a push, while the frame below goes
 * and comes again.
 */
#include <limits.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <plafond/word.h>

static uint64_t load_after_others(const uint64_t *word);
static void store_before_others(uint64_t *word, uint64_t value);
#define plf_load64  load_after_others
#define plf_store64 store_before_others
#include "rseq.h"

#include <plafond/ceiling_stack.h>

#include "cpu.h"
#include "gate.h"
#include "member.h"
#include "stats.h"

static struct plf_frame *look_after_a_death(const struct plf_thread *t, uint64_t word);
#define plf_blocker look_after_a_death
#include "frames.c"
#undef plf_load64
#undef plf_store64
#undef plf_blocker

/* ---- The library of frames.c ---------------------------------------------- */

__thread struct plf_member plf_me;
__thread struct plf_stats_counts plf_counts;

int plf_lock_libc_first(pthread_mutex_t *mutex)
{
	return pthread_mutex_lock(mutex);
}

int (*plf_lock_libc_outside)(pthread_mutex_t *) = plf_lock_libc_first;

int plf_lock_libc_inside(pthread_mutex_t *mutex)
{
	return pthread_mutex_lock(mutex);
}

/* ---- The threads, as the slots that they have --------------------------- */

static int here, elsewhere; /* CPUs */
static struct plf_slot *walker, *above, *comer;
static int cpu_of_comer;
static int loads, loads_before_others;

static struct plf_slot *begin(int cpu)
{
	struct plf_slot *slot;

	assert_int_equal(plf_slot_claim(NULL, cpu, 20, PLF_STRENGTH_ROBUST, 1, &slot), 0);
	plf_slot_use_stack(slot);
	return slot;
}

static void end(struct plf_slot *slot)
{
	if (slot != NULL)
		plf_slot_release(slot);
}

static void push(struct plf_slot *slot, uint32_t index)
{
	struct plf_thread *t = &slot->thread;

	t->frame[index].prev = *t->top;
	t->frame[index].rank = plf_word_rank(t->word);
	*t->top = plf_word(t->frame[index].ref, plf_word_rank(t->word));
}

static void pop(struct plf_slot *slot, uint32_t index)
{
	*slot->thread.top = slot->thread.frame[index].prev;
}

static void let_others_go_on(void)
{
	pop(above, 1);
	end(above);
	above = NULL;
	comer = begin(cpu_of_comer);
	push(comer, 1);
}

static void (*after_store)(void);

/* Other threads act after the store, if the test wants that. */
static void store_before_others(uint64_t *word, uint64_t value)
{
	plf_store64(word, value);
	if (after_store != NULL)
		after_store();
}

static uint64_t load_after_others(const uint64_t *word)
{
	if (loads++ == loads_before_others)
		let_others_go_on();
	return plf_load64(word);
}

/* The owner is found on another CPU, and leaves its place behind. */
static struct plf_frame *look_after_a_death(const struct plf_thread *t, uint64_t word)
{
	above->thread.life.word = PLF_OWNER_DIED;
	return plf_blocker(t, word);
}

/* ---- The tests ---------------------------------------------------------- */

static void set_stage(void)
{
	walker = begin(here);
	above = begin(here);
	plf_arena->stack[here].top = plf_arena->stack[elsewhere].top = 0;
	plf_me.place = &walker->thread;
}

static void clear_stage(void)
{
	end(walker);
	end(above);
	end(comer);
	comer = NULL;
}

/* Other threads act before each load. In the last round they come too late. */
static void walk_at_each_load(int cpu, void (*walk)(void))
{
	cpu_of_comer = cpu;
	loads_before_others = 0;
	do {
		set_stage();
		push(walker, 0);
		push(above, 1);
		loads = 0;
		walk();
		clear_stage();
	} while (loads > loads_before_others++);
	assert_in_range(loads_before_others, 3, PLF_FRAMES);
}

static void count(void)
{
	assert_int_equal(plf_frames_there(&walker->thread), 1);
}

static void look_for_own(void)
{
	assert_non_null(plf_namer(&walker->thread, walker->thread.ref));
}

static void own_frame_is_counted(void **unused)
{
	(void)unused;
	walk_at_each_load(here, count);
	walk_at_each_load(elsewhere, count);
}

static void own_frame_is_found(void **unused)
{
	(void)unused;
	walk_at_each_load(here, look_for_own);
	walk_at_each_load(elsewhere, look_for_own);
}

/* ---- The ceilings of the frames above a frame that went ------------------ */

static uint32_t reckon_above(uint64_t below)
{
	return plf_reckon_above(&walker->thread, below, &plf_by_sequence);
}

static void frame_below_went_as_well(void **unused)
{
	uint64_t before;

	(void)unused;
	loads_before_others = INT_MAX;
	set_stage();
	push(walker, 1);
	before = *walker->thread.top;
	assert_int_equal(reckon_above(above->thread.word), 1 << 1);
	assert_int_equal(*walker->thread.top, before);
	clear_stage();
}

/* The fast path does not write the rank of frame 0, so the walk must leave frame 0 as it is. */
static void frame_0_stays_as_it_is(void **unused)
{
	uint64_t before;

	(void)unused;
	loads_before_others = INT_MAX;
	set_stage();
	push(walker, 0);
	walker->thread.frame[0].rank = plf_rank((uint32_t)here, 99);
	before = *walker->thread.top;
	assert_int_equal(reckon_above(above->thread.word), 0);
	assert_int_equal(*walker->thread.top, before);
	clear_stage();
}

/* If a lower frame is pushed anew before each load, it leads the walk up again and again. */
static void walk_that_is_led_up_again_ends(void **unused)
{
	uint64_t before;

	(void)unused;
	loads_before_others = INT_MAX;
	set_stage();
	push(walker, 1);
	before = *walker->thread.top;
	push(above, 1);
	walker->thread.frame[1].prev = *walker->thread.top;
	assert_int_equal(reckon_above(0), 1 << 1);
	assert_int_equal(above->thread.frame[1].prev, before);
	clear_stage();
}

/* ---- A push, while the frame below goes, and comes again as it was --------- */

/*
 * The owner of the walker's frame was about to remove it when the frame above, which then named it,
 * left. The owner writes there, then into the top, and pushes the frame again.
 */
static void let_frame_below_come_again(void)
{
	uint64_t *where = &above->thread.frame[1].prev;
	uint64_t below = plf_word(walker->thread.frame[1].ref, plf_word_rank(walker->thread.word));

	if (*where == below)
		*where = walker->thread.frame[1].prev;
	pop(walker, 1);
	push(walker, 1);
}

static void push_on_a_top_that_has_changed_is_refused(void **unused)
{
	struct plf_thread *t;
	uint64_t before;

	(void)unused;
	loads_before_others = INT_MAX;
	set_stage();
	push(walker, 1);
	t = &above->thread;
	before = *t->top;
	assert_int_equal(plf_publish(t, &t->frame[1], t->rank, 0, &plf_by_sequence), PLF_STALE);
	assert_int_equal(*t->top, before);
	clear_stage();
}

static void frame_below_comes_again_during_a_push(void **unused)
{
	(void)unused;
	loads_before_others = INT_MAX;
	set_stage();
	push(walker, 1);
	after_store = let_frame_below_come_again;
	assert_int_equal(plf_publish(&above->thread, &above->thread.frame[1], above->thread.rank,
				     *walker->thread.top, &plf_by_sequence),
			 PLF_WRITTEN);
	after_store = NULL;
	assert_ptr_equal(plf_namer(&walker->thread, walker->thread.frame[1].ref),
			 &above->thread.frame[1].prev);
	clear_stage();
}

/* ---- The look at the newest ---------------------------------------------- */

static void newest_frame_dies_during_the_look(void **unused)
{
	(void)unused;
	loads_before_others = INT_MAX;
	set_stage();
	push(above, 1);
	assert_true(plf_wait_for_cover());
	assert_int_equal(plf_arena->stack[here].top, 0);
	clear_stage();
}

static int stay_on_one_cpu(void **unused)
{
	cpu_set_t set;

	(void)unused;
	here = sched_getcpu();
	elsewhere = here + 1;
	CPU_ZERO(&set);
	CPU_SET((size_t)here, &set);
	plf_me.rseq = plf_rseq_area();
	plf_me.cpu = (uint32_t)here;
	return sched_setaffinity(0, sizeof(set), &set);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(own_frame_is_counted),
		cmocka_unit_test(own_frame_is_found),
		cmocka_unit_test(frame_below_went_as_well),
		cmocka_unit_test(frame_0_stays_as_it_is),
		cmocka_unit_test(walk_that_is_led_up_again_ends),
		cmocka_unit_test(push_on_a_top_that_has_changed_is_refused),
		cmocka_unit_test(frame_below_comes_again_during_a_push),
		cmocka_unit_test(newest_frame_dies_during_the_look),
	};

	return cmocka_run_group_tests_name("walk", all, stay_on_one_cpu, NULL);
}
