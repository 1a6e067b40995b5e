/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The restartable sequences, interrupted by the kernel. The intruder writes the words that a
 * sequence has read. If no update is lost, and no section is entered twice, each last store was
 * made while the values read were still valid. Then no store was made behind an abort.
 */
#include "../../../real_time/test/patience.h"
#include "intruder.h"
#include "rseq.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

enum {
	RESTARTS = 100,	    /* at least, inside sequences */
	INTRUSIONS = 30000, /* at most, to get these restarts; fewer than 2^16 */
	LOCAL = 7,
	ELSEWHERE = 8,
	MY_TID = 100,
	ITS_TID = 200,
};
static const uint64_t MINE = (1ULL << 32) | LOCAL, ITS = (2ULL << 32) | LOCAL;
static const uint64_t ITS_64 = 1ULL << 32; /* the intruder adds this; the victim adds 1 */
static const uint32_t ITS_32 = 1U << 16;

static struct rseq *area;
static uint32_t cpu;
static uint64_t top, from, prev;
static uint32_t home, lock;
static const char *volatile fault; /* found by the intruder */

static int setup(void **state)
{
	(void)state;
	area = plf_rseq_area();
	cpu = (uint32_t)sched_getcpu();
	top = from = prev = 0;
	home = LOCAL;
	lock = 0;
	fault = NULL;
	return 0;
}

/* ---- Without interruption ------------------------------------------------ */

static void all_is_as_expected(void **state)
{
	(void)state;
	assert_int_equal(plf_rseq_enter(area, cpu, &top, MINE, &home, &lock, MY_TID),
			 PLF_COMMITTED);
	assert_int_equal(top, MINE);
	assert_int_equal(lock, MY_TID);
	assert_int_equal(plf_rseq_lock_word(area, cpu, &home, LOCAL, &lock, MY_TID, 0),
			 PLF_COMMITTED);
	assert_int_equal(lock, 0);
	assert_int_equal(plf_rseq_push(area, cpu, &top, MINE, ITS, &prev), PLF_COMMITTED);
	assert_int_equal(top, ITS);
	assert_int_equal(prev, MINE);
	assert_int_equal(plf_rseq_move(area, cpu, &top, ITS, &prev), PLF_COMMITTED);
	assert_int_equal(top, MINE);
	assert_int_equal(plf_rseq_swap(area, cpu, &top, MINE, 0), PLF_COMMITTED);
	assert_int_equal(top, 0);
}

/* No sequence begins for that CPU, and nothing is stored. */
static void no_sequence_stores(uint32_t on)
{
	const uint64_t top_before = top;
	const uint32_t lock_before = lock;

	assert_int_equal(plf_rseq_enter(area, on, &top, MINE, &home, &lock, MY_TID), PLF_MISMATCH);
	assert_int_equal(plf_rseq_lock_word(area, on, &home, LOCAL, &lock, MY_TID, 5),
			 PLF_MISMATCH);
	assert_int_equal(plf_rseq_swap(area, on, &top, MINE, 5), PLF_MISMATCH);
	assert_int_equal(plf_rseq_move(area, on, &top, MINE, &from), PLF_MISMATCH);
	assert_int_equal(plf_rseq_push(area, on, &top, MINE, 5, &prev), PLF_MISMATCH);
	assert_int_equal(top, top_before);
	assert_int_equal(lock, lock_before);
	assert_int_equal(prev, 0);
}

static void another_word_stops_each(void **state)
{
	(void)state;
	top = ITS;
	no_sequence_stores(cpu);
	top = MINE + (1ULL << 63); /* it differs only in its upper half */
	no_sequence_stores(cpu);
	top = 0;
	lock = ITS_TID;
	no_sequence_stores(cpu);
}

static void another_home_stops_it(void **state)
{
	(void)state;
	home = ELSEWHERE;
	assert_int_equal(plf_rseq_enter(area, cpu, &top, MINE, &home, &lock, MY_TID), PLF_MISMATCH);
	assert_int_equal(plf_rseq_lock_word(area, cpu, &home, LOCAL, &lock, 0, MY_TID),
			 PLF_MISMATCH);
	assert_int_equal(top, 0);
	assert_int_equal(lock, 0);
}

static void another_cpu_stops_each(void **state)
{
	(void)state;
	lock = MY_TID;
	no_sequence_stores(cpu + 1);
	lock = 0;
	no_sequence_stores(cpu + 1);
	top = MINE;
	no_sequence_stores(cpu + 1);
}

/* ---- Updates ------------------------------------------------------------ */

static enum plf_rseq_outcome add_by_swap(void)
{
	uint64_t seen = plf_load64(&top);

	return plf_rseq_swap(area, cpu, &top, seen, seen + 1);
}

static enum plf_rseq_outcome add_by_move(void)
{
	uint64_t seen = plf_load64(&top);

	from = seen + 1;
	return plf_rseq_move(area, cpu, &top, seen, &from);
}

static enum plf_rseq_outcome add_by_push(void)
{
	uint64_t seen = plf_load64(&top);
	enum plf_rseq_outcome outcome = plf_rseq_push(area, cpu, &top, seen, seen + 1, &prev);

	if (outcome == PLF_COMMITTED)
		assert_int_equal(prev, seen);
	return outcome;
}

static enum plf_rseq_outcome add_by_lock_word(void)
{
	uint32_t seen = plf_load32(&lock);

	return plf_rseq_lock_word(area, cpu, &home, LOCAL, &lock, seen,
				  (seen & ~(ITS_32 - 1)) | ((seen + 1) & (ITS_32 - 1)));
}

static void it_adds_64(void)
{
	plf_store64(&top, plf_load64(&top) + ITS_64);
}

static void it_adds_32(void)
{
	plf_store32(&lock, plf_load32(&lock) + ITS_32);
}

/* Repeat until it was restarted often enough. Returns the number of commits. */
static uint64_t hammer(enum plf_rseq_outcome (*attempt)(void), void (*comes)(void))
{
	uint64_t commits = 0;
	unsigned restarts = 0, intrusions;

	plf_end_if_hung();
	intruder_start(comes);
	while (restarts < RESTARTS && intruder_count() < INTRUSIONS)
		switch (attempt()) {
		case PLF_COMMITTED:
			commits++;
			break;
		case PLF_RESTARTED:
			restarts++;
			break;
		default:
			break;
		}
	intruder_stop();
	intrusions = intruder_count();
	print_message("%u restarts, %ju commits, %u intrusions\n", restarts, (uintmax_t)commits,
		      intrusions);
	assert_true(fault == NULL);
	assert_int_equal(restarts, RESTARTS);
	assert_true(commits > RESTARTS);
	return commits;
}

static void no_update_is_lost(enum plf_rseq_outcome (*attempt)(void))
{
	uint64_t commits = hammer(attempt, it_adds_64);

	assert_int_equal(top & (ITS_64 - 1), commits);
	assert_int_equal(top / ITS_64, intruder_count());
}

static void swap_loses_none(void **state)
{
	(void)state;
	no_update_is_lost(add_by_swap);
}

static void move_loses_none(void **state)
{
	(void)state;
	no_update_is_lost(add_by_move);
}

static void push_loses_none(void **state)
{
	(void)state;
	no_update_is_lost(add_by_push);
}

static void a_lock_word_loses_none(void **state)
{
	uint64_t commits;

	(void)state;
	commits = hammer(add_by_lock_word, it_adds_32);
	assert_int_equal(lock & (ITS_32 - 1), commits & (ITS_32 - 1));
	assert_int_equal(lock / ITS_32, intruder_count());
}

/* ---- The home ----------------------------------------------------------- */

/* Move the home away and back. While it is away, no sequence writes the lock word. */
static void it_moves_the_home(void)
{
	static uint32_t left;

	if (plf_load32(&home) == ELSEWHERE && plf_load32(&lock) != left)
		fault = "a lock word was written that is not of this CPU";
	left = plf_load32(&lock);
	plf_store32(&home, plf_load32(&home) == LOCAL ? ELSEWHERE : LOCAL);
}

static void a_lock_word_elsewhere_is_not_written(void **state)
{
	(void)state;
	hammer(add_by_lock_word, it_moves_the_home);
}

/* ---- Sections ------------------------------------------------------------ */

static unsigned half_entered;
static volatile bool it_is_inside;

/* The intruder enters a free section the first time, and leaves it the next time. */
static void it_enters_or_leaves(void)
{
	if (it_is_inside) {
		if (plf_load64(&top) != ITS || plf_load32(&lock) != ITS_TID)
			fault = "its section was entered";
		it_is_inside = false;
		plf_store32(&lock, 0);
		plf_store64(&top, 0);
	} else if (plf_load64(&top) == 0) {
		if (plf_load32(&lock) != 0)
			fault = "a lock word was taken without a frame";
		plf_store64(&top, ITS);
		plf_store32(&lock, ITS_TID);
		it_is_inside = true;
	}
}

static void leave(void)
{
	while (plf_rseq_lock_word(area, cpu, &home, LOCAL, &lock, MY_TID, 0) != PLF_COMMITTED)
		;
	while (plf_rseq_swap(area, cpu, &top, MINE, 0) != PLF_COMMITTED)
		;
}

static enum plf_rseq_outcome enter_and_leave(void)
{
	enum plf_rseq_outcome outcome = plf_rseq_enter(area, cpu, &top, MINE, &home, &lock, MY_TID);

	if (outcome == PLF_COMMITTED) {
		assert_false(it_is_inside);
		assert_int_equal(plf_load64(&top), MINE);
		assert_int_equal(plf_load32(&lock), MY_TID);
		leave();
	} else if (plf_load64(&top) == MINE) { /* the first store was made */
		assert_int_equal(outcome, PLF_RESTARTED);
		assert_int_equal(plf_load32(&lock), 0);
		half_entered++;
		while (plf_rseq_swap(area, cpu, &top, MINE, 0) != PLF_COMMITTED)
			;
	}
	return outcome;
}

static void one_is_inside(void **state)
{
	(void)state;
	half_entered = 0;
	it_is_inside = false;
	hammer(enter_and_leave, it_enters_or_leaves);
	print_message("%u with the first store alone\n", half_entered);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test_setup(all_is_as_expected, setup),
		cmocka_unit_test_setup(another_word_stops_each, setup),
		cmocka_unit_test_setup(another_home_stops_it, setup),
		cmocka_unit_test_setup(another_cpu_stops_each, setup),
		cmocka_unit_test_setup(swap_loses_none, setup),
		cmocka_unit_test_setup(move_loses_none, setup),
		cmocka_unit_test_setup(push_loses_none, setup),
		cmocka_unit_test_setup(a_lock_word_loses_none, setup),
		cmocka_unit_test_setup(a_lock_word_elsewhere_is_not_written, setup),
		cmocka_unit_test_setup(one_is_inside, setup),
	};

	if (argc != 2 || !intruder_choose(argv[1])) {
		fprintf(stderr, "usage: sequences handler|thread\n");
		return 2;
	}
	return cmocka_run_group_tests_name("sequences", all, NULL, NULL);
}
