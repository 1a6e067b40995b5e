/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * settle.c alone: a thread becomes known, settles and ends. The test replaces the rest of the
 * library, and notes a letter for each call.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "member.h"

static void enter_seen(uint32_t tid);
static void fence_seen(int order);
#define plf_member_enter      enter_seen
#define __atomic_thread_fence fence_seen
#include "settle.c"
#undef plf_member_enter
#undef __atomic_thread_fence

#include <string.h>

enum { TID_PRIORITY = 20, MOST = 40 };

/* ---- The library of settle.c --------------------------------------------- */

__thread struct plf_stats_counts plf_counts;
enum plf_mode plf_mode = PLF_MODE_LAZY;
bool plf_learning;
struct plf_arena *plf_arena;

static char calls[32];
static size_t count;
static struct plf_thread place;
static uint64_t stack = 7;
static int cpu, policy;
static bool has_sequences, has_claims, has_places, frames_go;
static bool changed_meanwhile; /* by another thread, as late as possible */
static bool is_fenced;	       /* its stores so far are before its next reads */

static void call(char letter)
{
	assert_true(count + 1 < sizeof(calls));
	calls[count++] = letter;
}

int plf_lock_libc_first(pthread_mutex_t *mutex)
{
	return pthread_mutex_lock(mutex);
}

int plf_lock_libc_inside(pthread_mutex_t *mutex)
{
	return pthread_mutex_lock(mutex);
}

bool plf_has_priority(int asked)
{
	return asked != SCHED_OTHER;
}

bool plf_has_sequences(void)
{
	return has_sequences;
}

bool plf_claims_are_used(void)
{
	return has_claims;
}

void plf_claims_part(void)
{
	call('p');
}

void plf_claims_after_fork(void)
{
	call('P');
}

/* Frames are committed while they are still there. */
void plf_commit(enum plf_cause cause)
{
	assert_int_equal(cause, PLF_SCHEDULING_CALL);
	call('c');
}

bool plf_frames_take_off(void)
{
	call('t');
	return frames_go;
}

void plf_give_up_place(void)
{
	call('g');
	plf_me.place = NULL;
}

void plf_leave_place_behind(void)
{
	call('l');
}

bool plf_take_place(int wanted)
{
	assert_int_equal(wanted, cpu);
	if (has_places)
		plf_me.place = &place;
	return has_places;
}

/* By now everything that other threads find by the TID must be true. */
static void enter_seen(uint32_t tid)
{
	if (tid != 0) {
		assert_int_equal(tid, gettid());
		assert_int_equal(plf_me.priority, TID_PRIORITY);
	}
	call(tid != 0 ? 'E' : 'e');
}

int plf_pinned_cpu(void)
{
	assert_true(is_fenced); /* before the first read that another thread may change */
	return cpu;
}

void plf_kernel_get_priority(uint32_t tid, int *found, int *priority)
{
	assert_int_equal(tid, 0);
	*found = policy;
	*priority = TID_PRIORITY;
}

int plf_kernel_most(void)
{
	return MOST;
}

static bool base_changed;

bool plf_priority_ask_again(void)
{
	call('b');
	return base_changed;
}

void plf_stats_join(void)
{
	call('J');
}

void plf_stats_fold(void)
{
	assert_false(plf_me.known);
	assert_false(plf_me.settled);
	call('F');
}

void plf_learn_thread_end(void)
{
	call('L');
}

bool plf_robust_list_join(struct plf_thread *joining)
{
	assert_ptr_equal(joining, &place);
	call('r');
	return true;
}

void plf_arena_after_fork(struct plf_slot *survivor, uint32_t tid)
{
	assert_int_equal(tid, plf_me.tid);
	call(survivor == NULL ? 'a' : 'A');
}

/*
 * The first fence follows the store of `settled`. The second fence follows the thread's own words,
 * so a change that another thread made before is seen.
 */
static void fence_seen(int order)
{
	assert_int_equal(order, __ATOMIC_SEQ_CST);
	assert_true(plf_me.settled);
	is_fenced = !is_fenced;
	if (!is_fenced && changed_meanwhile)
		plf_me.settled = false;
}

/* ---- Threads ------------------------------------------------------------ */

static int begin(void **unused)
{
	(void)unused;
	memset(calls, 0, sizeof(calls));
	count = 0;
	plf_me = (struct plf_member) {
		.top = &plf_stranger_top, .rank = PLF_RANK_FAR, .cover = PLF_RANK_FAR, .asked = true
	};
	place = (struct plf_thread) { .top = &stack, .rank = 5, .ref = 9 };
	cpu = 3;
	policy = SCHED_FIFO;
	has_sequences = has_places = frames_go = true;
	has_claims = changed_meanwhile = is_fenced = plf_learning = false;
	return 0;
}

#define settles_test(f) cmocka_unit_test_setup(f, begin)

static void is_a_stranger(void)
{
	assert_ptr_equal(plf_me.top, &plf_stranger_top);
	assert_int_equal(plf_me.rank, PLF_RANK_FAR);
	assert_int_equal(plf_me.cover, PLF_RANK_FAR);
	assert_int_equal(plf_me.local, 0);
}

/* ---- Settling ----------------------------------------------------------- */

static void one_that_is_not_known_becomes_known(void **unused)
{
	(void)unused;
	plf_settle();
	assert_string_equal(calls, "EJcgp");
	assert_true(plf_me.known);
	assert_int_equal(plf_me.tid, gettid());
	assert_ptr_equal(plf_me.rseq, plf_rseq_area());
	plf_settle();
	assert_string_equal(calls, "EJcgpcgp");
}

static void a_lazy_one_has_the_words_of_its_place(void **unused)
{
	(void)unused;
	plf_settle();
	assert_true(plf_me.settled);
	assert_ptr_equal(plf_me.top, &stack);
	assert_int_equal(plf_me.rank, 5);
	assert_int_equal(plf_me.cover, 5);
	assert_int_equal(plf_me.frame0, plf_word(9, 0));
	assert_int_equal(plf_me.cpu, 3);
	assert_int_equal(plf_me.local, 4);
	assert_int_equal(plf_me.most, MOST);
	assert_int_equal(plf_me.why_eager, PLF_WHYS);
}

static void an_eager_one_sees_an_empty_stack(enum plf_why why)
{
	plf_settle();
	assert_true(plf_me.settled);
	assert_ptr_not_equal(plf_me.top, &plf_stranger_top);
	assert_int_equal(*plf_me.top, 0);
	assert_int_equal(plf_me.rank, PLF_RANK_FAR);
	assert_int_equal(plf_me.cover, PLF_RANK_FAR);
	assert_int_equal(plf_me.local, 0);
	assert_int_equal(plf_me.why_eager, why);
}

static void one_without_a_place_is_eager(void **unused)
{
	cpu = -1;
	an_eager_one_sees_an_empty_stack(PLF_NOT_PINNED);
	begin(unused);
	has_sequences = false;
	an_eager_one_sees_an_empty_stack(PLF_NO_RSEQ);
	begin(unused);
	has_places = false;
	an_eager_one_sees_an_empty_stack(PLF_NO_MEMORY);
	begin(unused);
	policy = SCHED_OTHER;
	an_eager_one_sees_an_empty_stack(PLF_POLICY);
}

/* Until its first section the thread only waits for others: its base may be set meanwhile. */
static void one_that_was_not_asked_is_covered_only(void **unused)
{
	(void)unused;
	plf_me.asked = false;
	plf_settle();
	assert_ptr_equal(plf_me.top, &stack);
	assert_int_equal(plf_me.cover, 5);
	assert_int_equal(plf_me.rank, PLF_RANK_FAR);
	assert_int_equal(plf_me.local, 0);
	assert_int_equal(plf_me.why_eager, PLF_WHYS);
}

static void its_first_section_asks_once(void **unused)
{
	(void)unused;
	plf_me.asked = base_changed = false;
	plf_settle();
	plf_settle_to_lock();
	assert_string_equal(calls, "EJcgpb");
	assert_int_equal(plf_me.rank, 5);
	assert_int_equal(plf_me.local, 4);
	plf_settle_to_lock();
	assert_string_equal(calls, "EJcgpb");
	plf_me.settled = is_fenced = false;
	plf_settle_to_lock();
	assert_string_equal(calls, "EJcgpbcgp");
}

static void its_first_section_settles_anew_if_it_was_changed(void **unused)
{
	(void)unused;
	plf_me.asked = false;
	base_changed = true;
	plf_settle();
	plf_settle_to_lock();
	assert_string_equal(calls, "EJcgpbcgp");
	assert_int_equal(plf_me.rank, 5);
	base_changed = false;
}

static void its_first_section_finds_it_not_known(void **unused)
{
	(void)unused;
	plf_me.asked = false;
	plf_settle_to_lock();
	assert_string_equal(calls, "EJcgp");
	assert_int_equal(plf_me.rank, 5);
}

static void changed_before_its_first_section_it_stays_a_stranger(void **unused)
{
	(void)unused;
	plf_me.asked = false;
	plf_settle();
	is_fenced = changed_meanwhile = true;
	plf_settle_to_lock();
	is_a_stranger();
}

/* A slice may end inside a section. The thread still waits for sections that cover it. */
static void one_of_round_robin_is_covered_and_eager(void **unused)
{
	(void)unused;
	policy = SCHED_RR;
	plf_settle();
	assert_ptr_equal(plf_me.top, &stack);
	assert_int_equal(plf_me.cover, 5);
	assert_int_equal(plf_me.rank, PLF_RANK_FAR);
	assert_int_equal(plf_me.local, 0);
	assert_int_equal(plf_me.why_eager, PLF_POLICY);
}

static void one_with_claims_needs_no_place(void **unused)
{
	has_claims = true;
	plf_settle();
	assert_null(plf_me.place);
	assert_true(plf_me.may_claim);
	assert_int_equal(plf_me.local, 4);
	begin(unused);
	has_claims = true;
	cpu = -1;
	plf_settle();
	assert_true(plf_me.may_claim);
	assert_int_equal(plf_me.local, 0);
}

static void one_that_is_changed_meanwhile_stays_a_stranger(void **unused)
{
	(void)unused;
	changed_meanwhile = true;
	plf_settle();
	assert_false(plf_me.settled);
	is_a_stranger();
}

/* ---- Its end ------------------------------------------------------------ */

static void *live(void *unused)
{
	plf_settle();
	count = 0;
	memset(calls, 0, sizeof(calls));
	return unused;
}

static const char *calls_of_an_end(void)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, live, NULL), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	return calls;
}

static void one_that_ends_leaves_nothing(void **unused)
{
	(void)unused;
	assert_string_equal(calls_of_an_end(), "ptgeF");
}

static void one_that_ends_elsewhere_leaves_its_place_behind(void **unused)
{
	(void)unused;
	frames_go = false;
	assert_string_equal(calls_of_an_end(), "ptleF");
}

static void the_end_is_evidence(void **unused)
{
	(void)unused;
	plf_learning = true;
	assert_string_equal(calls_of_an_end(), "ptgeFL");
}

/* ---- fork() ------------------------------------------------------------- */

static void after_fork_its_place_is_in_the_new_list(void **unused)
{
	static struct plf_arena arena;

	plf_members_after_fork();
	assert_string_equal(calls, "P");
	begin(unused);
	plf_arena = &arena;
	plf_members_after_fork();
	assert_string_equal(calls, "Pa");
	begin(unused);
	plf_me.place = &place;
	plf_members_after_fork();
	assert_string_equal(calls, "PrA");
	plf_arena = NULL;
}

int main(void)
{
	const struct CMUnitTest all[] = {
		settles_test(one_that_is_not_known_becomes_known),
		settles_test(a_lazy_one_has_the_words_of_its_place),
		settles_test(one_without_a_place_is_eager),
		settles_test(one_that_was_not_asked_is_covered_only),
		settles_test(its_first_section_asks_once),
		settles_test(its_first_section_settles_anew_if_it_was_changed),
		settles_test(its_first_section_finds_it_not_known),
		settles_test(changed_before_its_first_section_it_stays_a_stranger),
		settles_test(one_of_round_robin_is_covered_and_eager),
		settles_test(one_with_claims_needs_no_place),
		settles_test(one_that_is_changed_meanwhile_stays_a_stranger),
		settles_test(one_that_ends_leaves_nothing),
		settles_test(one_that_ends_elsewhere_leaves_its_place_behind),
		settles_test(the_end_is_evidence),
		settles_test(after_fork_its_place_is_in_the_new_list),
	};

	return cmocka_run_group_tests_name("settles", all, NULL, NULL);
}
