/* SPDX-License-Identifier: MIT */

/* Which server has the CPU, as a function of time: to the nanosecond, and without threads. */
#include "budget.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SERVERS = 4, TEXT = 4096 };

static struct plf_budget server[SERVERS];
static char text[TEXT];
static size_t length;
static uint64_t events, last_ns;

static void write_down(struct plf_budget *budget, enum plf_server_event event, uint64_t time_ns)
{
	events++;
	last_ns = time_ns;
	length +=
		(size_t)snprintf(text + length, TEXT - length, "%d%c%llu ", (int)(budget - server),
				 "RDGLOPK"[event], (unsigned long long)time_ns);
	assert_true(length < TEXT);
}

static void count(struct plf_budget *budget, enum plf_server_event event, uint64_t time_ns)
{
	(void)budget;
	(void)event;
	events++;
	last_ns = time_ns;
}

static void add(struct plf_budgets *b, size_t number, int priority, uint64_t period_ns,
		uint64_t budget_ns)
{
	server[number] = (struct plf_budget) { .priority = priority,
					       .period_ns = period_ns,
					       .budget_ns = budget_ns };
	plf_budgets_add(b, &server[number]);
}

static struct plf_budgets begin(void (*on_event)(struct plf_budget *, enum plf_server_event,
						 uint64_t))
{
	events = 0;
	length = 0;
	text[0] = '\0';
	return (struct plf_budgets) { .on_event = on_event };
}

/* OSPERT 2010, 8, Tables I and II: the second server is depleted at 40, and whole again at 60. */
static void papers_servers(void **state)
{
	struct plf_budgets b = begin(write_down);

	(void)state;
	add(&b, 0, 2, 50, 20);
	add(&b, 1, 1, 60, 20);
	assert_int_equal(plf_budgets_advance(&b, 0), 20);
	assert_int_equal(plf_budgets_advance(&b, 119), 120);
	assert_string_equal(text, "0R0 1R0 0G0 0D20 0L20 1G20 1D40 1L40 0R50 0G50 1R60 "
				  "0D70 0L70 1G70 1D90 1L90 0R100 0G100 ");
	assert_int_equal(server[0].left_ns, 1);
	assert_int_equal(server[1].left_ns, 0);
}

/*
 * A less urgent server that loses the CPU keeps the rest of its budget until it gets the CPU again.
 */
static void preempted_server_keeps_its_budget(void **state)
{
	struct plf_budgets b = begin(write_down);

	(void)state;
	add(&b, 0, 2, 10, 4);
	add(&b, 1, 1, 30, 15);
	plf_budgets_advance(&b, 29);
	assert_string_equal(text, "0R0 1R0 0G0 0D4 0L4 1G4 0R10 1L10 0G10 0D14 0L14 1G14 "
				  "0R20 1L20 0G20 0D24 0L24 1G24 1D27 1L27 ");
}

/* A server with the whole CPU never loses it. */
static void whole_budget_is_never_lost(void **state)
{
	struct plf_budgets b = begin(write_down);

	(void)state;
	add(&b, 0, 1, 10, 10);
	plf_budgets_advance(&b, 20);
	assert_string_equal(text, "0R0 0G0 0D10 0R10 0D20 0R20 ");
}

/* A caller that comes late gets the same events, at the instants when they were due. */
static void lateness_moves_nothing(void **state)
{
	char in_time[TEXT];
	struct plf_budgets b = begin(write_down);

	(void)state;
	add(&b, 0, 2, 50, 20);
	add(&b, 1, 1, 60, 20);
	for (uint64_t now_ns = 0; now_ns <= 300; now_ns++)
		plf_budgets_advance(&b, now_ns);
	memcpy(in_time, text, sizeof(text));
	b = begin(write_down);
	add(&b, 0, 2, 50, 20);
	add(&b, 1, 1, 60, 20);
	for (uint64_t now_ns = 0; now_ns <= 300; now_ns += 75)
		plf_budgets_advance(&b, now_ns);
	assert_string_equal(text, in_time);
}

static void no_drift_over_a_million_periods(void **state)
{
	struct plf_budgets b = begin(count);
	const uint64_t period_ns = 3333333, budget_ns = 1111111;
	uint64_t next_ns = 0;

	(void)state;
	add(&b, 0, 1, period_ns, budget_ns);
	while (next_ns < 1000000 * period_ns)
		next_ns = plf_budgets_advance(&b, next_ns + events % 1000); /* at most 1 us late */
	assert_int_equal(next_ns, 1000000 * period_ns);
	assert_int_equal(events, 4000000);
	assert_int_equal(last_ns, 999999 * period_ns + budget_ns);
}

/* The simplest model: it looks at one instant after the other. */
static int holder_at(const uint64_t *left_ns, size_t count_of)
{
	for (size_t i = 0; i < count_of; i++)
		if (left_ns[i] > 0)
			return (int)i;
	return -1;
}

static void compare_with_steps(unsigned seed)
{
	struct plf_budgets b = begin(count);
	uint64_t left_ns[SERVERS] = { 0 };

	srand(seed);
	for (size_t i = 0; i < SERVERS; i++) {
		uint64_t period_ns = 5 + (uint64_t)rand() % 30;

		add(&b, i, (int)(SERVERS - i), period_ns, 1 + (uint64_t)rand() % (period_ns / 3));
		server[i].next_ns = (uint64_t)rand() % 20;
	}
	for (uint64_t now_ns = 0; now_ns < 500; now_ns++) {
		int holder;

		for (size_t i = 0; i < SERVERS; i++) {
			struct plf_budget *s = &server[i];
			/* next_ns moves on, so look before plf_budgets_advance() */
			if (now_ns == s->next_ns)
				left_ns[i] = s->budget_ns;
		}
		plf_budgets_advance(&b, now_ns);
		holder = holder_at(left_ns, SERVERS);
		assert_int_equal(b.current == NULL ? -1 : b.current - server, holder);
		for (size_t i = 0; i < SERVERS; i++)
			assert_int_equal(server[i].left_ns, left_ns[i]);
		if (holder >= 0)
			left_ns[holder]--;
	}
}

static void random_servers(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 200; seed++)
		compare_with_steps(seed);
}

static void one_that_goes_hands_on(void **state)
{
	struct plf_budgets b = begin(write_down);

	(void)state;
	add(&b, 0, 2, 100, 50);
	add(&b, 1, 1, 100, 50);
	plf_budgets_advance(&b, 10);
	plf_budgets_remove(&b, &server[0]);
	assert_ptr_equal(b.current, &server[1]);
	assert_int_equal(plf_budgets_advance(&b, 10), 60);
	assert_string_equal(text, "0R0 1R0 0G0 0L10 1G10 ");
}

/* The order in which servers came does not count. If the last server goes, the others stay. */
static void order_is_of_priorities(void **state)
{
	struct plf_budgets b = begin(write_down);

	(void)state;
	add(&b, 0, 1, 100, 10);
	add(&b, 1, 3, 100, 10);
	add(&b, 2, 2, 100, 10);
	plf_budgets_advance(&b, 29);
	plf_budgets_remove(&b, &server[0]);
	plf_budgets_advance(&b, 119);
	assert_string_equal(text, "1R0 2R0 0R0 1G0 1D10 1L10 2G10 2D20 2L20 0G20 0L29 1R100 2R100 "
				  "1G100 1D110 1L110 2G110 ");
}

static void no_more_than_the_cpu(void **state)
{
	struct plf_budgets b = begin(count);
	struct plf_budget third = { .period_ns = 3, .budget_ns = 1 };
	struct plf_budget one = { .period_ns = 1000000, .budget_ns = 1 };

	(void)state;
	add(&b, 0, 1, 3, 1);
	add(&b, 1, 2, 30, 10);
	assert_true(plf_budgets_have_room(&b, &third));
	add(&b, 2, 3, 300, 100);
	assert_false(plf_budgets_have_room(&b, &one));
}

/* ---- Shared resources ----------------------------------------------------- */

enum policy { SKIP, OVERRUN, PAYBACK };

static void share(size_t number, enum policy policy, uint64_t hold_ns)
{
	server[number].overruns = policy != SKIP;
	server[number].pays_back = policy == PAYBACK;
	server[number].hold_ns = hold_ns;
}

/* The paper's Tables I and II. Both servers use one resource, whose ceiling is 2. */
static struct plf_budgets papers_sharers(enum policy first, enum policy second)
{
	struct plf_budgets b = begin(write_down);

	add(&b, 0, 2, 50, 20);
	add(&b, 1, 1, 60, 20);
	share(0, first, 15);
	share(1, second, 15);
	plf_budgets_advance(&b, 0);
	return b;
}

/* From time_ns on, the server claims that much. It calls the manager if it has to. */
static void claims(struct plf_budgets *b, uint64_t time_ns, size_t number, int claim)
{
	bool calls = claim < plf_budgets_late(b);

	if (!calls)
		plf_budgets_advance(b, time_ns - 1);
	server[number].claim = claim;
	plf_budgets_advance(b, time_ns);
}

/* Figure 4: t4 goes on from 40 to 50, and the next budget of its server is 10. */
static void papers_overrun(void **state)
{
	struct plf_budgets b = papers_sharers(PAYBACK, PAYBACK);

	(void)state;
	claims(&b, 5, 0, 2);
	claims(&b, 20, 0, 0);
	claims(&b, 35, 1, 2);
	assert_int_equal(plf_budgets_late(&b), 0);
	assert_int_equal(plf_budgets_advance(&b, 41), 50);
	assert_int_equal(plf_budgets_late(&b), 1);
	claims(&b, 50, 1, 0);
	plf_budgets_advance(&b, 99);
	assert_string_equal(text, "0R0 1R0 0G0 0D20 0L20 1G20 1O40 0R50 1D50 1L50 0G50 1R60 1P60 "
				  "0D70 0L70 1G70 1D80 1L80 ");
}

/* An overrun that ends before its period does. Without payback nothing is owed. */
static void nothing_is_left_of_an_overrun(void **state)
{
	struct plf_budgets b = papers_sharers(PAYBACK, OVERRUN);

	(void)state;
	claims(&b, 36, 1, 2);
	claims(&b, 45, 1, 0);
	plf_budgets_advance(&b, 95);
	assert_string_equal(text, "0R0 1R0 0G0 0D20 0L20 1G20 1O40 1D45 1L45 0R50 0G50 1R60 0D70 "
				  "0L70 1G70 1D90 1L90 ");
}

/* The overrun lasts X + 1 ns. Then the claim does not count until it has fallen. */
static void an_overrun_ends(void **state)
{
	struct plf_budgets b = begin(write_down);

	(void)state;
	add(&b, 0, 1, 100, 20);
	share(0, PAYBACK, 15);
	plf_budgets_advance(&b, 0);
	claims(&b, 10, 0, 2);
	assert_int_equal(plf_budgets_advance(&b, 20), 36);
	assert_int_equal(plf_budgets_advance(&b, 99), 100);
	plf_budgets_advance(&b, 103);
	assert_int_equal(plf_budgets_late(&b), 1);
	assert_true(server[0].is_foul);
	plf_budgets_advance(&b, 150);
	assert_string_equal(text, "0R0 0G0 0O20 0D36 0L36 0R100 0P100 0G100 0D104 0L104 ");
	claims(&b, 199, 0, 0);
	assert_false(server[0].is_foul);
}

/* X is longer than the budget. The next budget is used up by payback, and no more is owed. */
static void no_more_is_paid_back_than_a_budget(void **state)
{
	struct plf_budgets b = begin(write_down);

	(void)state;
	add(&b, 0, 1, 100, 10);
	share(0, PAYBACK, 15);
	plf_budgets_advance(&b, 0);
	claims(&b, 5, 0, 1);
	claims(&b, 50, 0, 0);
	plf_budgets_advance(&b, 215);
	assert_string_equal(text, "0R0 0G0 0O10 0D26 0L26 0R100 0P100 0R200 0G200 0D210 0L210 ");
}

/* A server that overran comes again: it has no time and owes nothing until its period begins. */
static void one_that_comes_again_has_nothing(void **state)
{
	struct plf_budgets b = begin(write_down);

	(void)state;
	add(&b, 0, 1, 100, 20);
	share(0, PAYBACK, 15);
	plf_budgets_advance(&b, 0);
	claims(&b, 10, 0, 2);
	plf_budgets_advance(&b, 25);
	plf_budgets_remove(&b, &server[0]);
	server[0].owed_ns = 7;
	server[0].left_ns = 3;
	server[0].next_ns = 50;
	plf_budgets_add(&b, &server[0]);
	assert_int_equal(plf_budgets_advance(&b, 25), 50);
	assert_null(b.current);
	server[0].claim = 0;
	assert_int_equal(plf_budgets_advance(&b, 50), 70);
	assert_string_equal(text, "0R0 0G0 0O20 0L25 0R50 0G50 ");
}

/* The more urgent server has budget at 50, and waits until 55. */
static void a_claim_keeps_out(void **state)
{
	struct plf_budgets b = papers_sharers(SKIP, SKIP);

	(void)state;
	server[1].left_ns = 40;
	claims(&b, 49, 1, 2);
	plf_budgets_advance(&b, 50);
	assert_int_equal(plf_budgets_late(&b), 2);
	claims(&b, 55, 1, 0);
	plf_budgets_advance(&b, 59);
	assert_string_equal(text, "0R0 1R0 0G0 0D20 0L20 1G20 0R50 0K50 1L55 0G55 ");
}

static void a_claim_keeps_out_for_x(void **state)
{
	struct plf_budgets b = papers_sharers(SKIP, SKIP);

	(void)state;
	server[1].left_ns = 45;
	claims(&b, 49, 1, 2);
	plf_budgets_advance(&b, 69);
	assert_string_equal(text, "0R0 1R0 0G0 0D20 0L20 1G20 0R50 0K50 1R60 1L66 0G66 ");
}

/* A server above the ceiling is not kept out. The claimant goes on after it. */
static void a_claim_lets_in_what_is_above(void **state)
{
	struct plf_budgets b = begin(write_down);

	(void)state;
	add(&b, 0, 3, 100, 10);
	add(&b, 1, 2, 100, 10);
	add(&b, 2, 1, 100, 30);
	share(2, OVERRUN, 40);
	server[0].next_ns = server[1].next_ns = 15;
	plf_budgets_advance(&b, 0);
	claims(&b, 10, 2, 2);
	plf_budgets_advance(&b, 30);
	claims(&b, 32, 2, 0);
	plf_budgets_advance(&b, 49);
	assert_string_equal(text, "2R0 2G0 0R15 1R15 2L15 0G15 0D25 1K25 0L25 2G25 2L32 1G32 1D42 "
				  "1L42 2G42 ");
}

/* Such claims are of threads that were moved to other CPUs. */
static void mutual_claims_leave_no_cpu_unused(void **state)
{
	struct plf_budgets b = papers_sharers(SKIP, SKIP);

	(void)state;
	server[0].claim = server[1].claim = 2;
	assert_int_equal(plf_budgets_advance(&b, 10), 20);
	assert_ptr_equal(b.current, &server[0]);
}

/*
 * The claim of a thread that was moved to another CPU. Its server never had this CPU, so the claim
 * does not count.
 */
static void a_claim_without_the_cpu_keeps_out_for_no_time(void **state)
{
	struct plf_budgets b = papers_sharers(SKIP, SKIP);

	(void)state;
	server[1].claim = 2;
	assert_int_equal(plf_budgets_advance(&b, 10), 10);
	assert_int_equal(plf_budgets_advance(&b, 11), 20);
	assert_ptr_equal(b.current, &server[0]);
	assert_true(server[1].is_foul);
}

/*
 * Servers whose threads enter and leave sections at random, at each instant. The test keeps
 * separate books, and compares.
 */
struct user {
	int inside;	    /* the ceiling of its open section; 0: none */
	uint64_t rest_ns;   /* time left of that section */
	uint64_t ran_ns;    /* time used since its period began */
	uint64_t beyond_ns; /* part of ran_ns beyond its budget */
	uint64_t kept_ns;   /* how long it has kept a server out */
	uint64_t due_ns;    /* its budget in this period */
};

static struct user user[SERVERS];

static bool is_free_to_run(size_t number)
{
	for (size_t i = 0; i < SERVERS; i++)
		if (i != number && user[i].inside >= server[number].priority)
			return false;
	return true;
}

/*
 * The server with the CPU enters or leaves a section, or does neither. True: it calls the manager.
 */
static bool act(const struct plf_budgets *b, size_t number, uint64_t now_ns, bool is_foul)
{
	struct user *u = &user[number];
	const struct plf_budget *s = &server[number];
	int most = SERVERS - s->priority + 1;
	uint64_t left_ns = s->left_ns - (now_ns - b->now_ns);

	if (u->inside != 0) {
		if (u->rest_ns > 0)
			return false;
		u->inside = 0;
		return plf_budgets_late(b) > 0;
	}
	if (s->hold_ns == 0 || rand() % 4 != 0 || (!s->overruns && left_ns <= s->hold_ns))
		return false;
	u->inside = s->priority + rand() % most;
	u->rest_ns = 1 + (uint64_t)rand() % (s->hold_ns * (is_foul ? 3 : 1));
	return false;
}

static void open_period(size_t number, uint64_t now_ns)
{
	struct user *u = &user[number];
	const struct plf_budget *s = &server[number];
	uint64_t owed_ns = s->pays_back ? u->beyond_ns : 0;

	if (s->next_ns != now_ns)
		return;
	u->due_ns = owed_ns < s->budget_ns ? s->budget_ns - owed_ns : 0;
	u->ran_ns = u->beyond_ns = 0;
}

static void judge(const struct plf_budgets *b, bool is_foul)
{
	size_t number = (size_t)(b->current - server);
	size_t wanted = SERVERS;

	for (size_t i = SERVERS; i-- > 0;)
		if (user[i].ran_ns < user[i].due_ns)
			wanted = i;
	if (b->current == NULL) {
		assert_int_equal(wanted, SERVERS);
		return;
	}
	if (user[number].ran_ns >= user[number].due_ns) {
		assert_true(server[number].overruns && user[number].inside != 0);
		user[number].beyond_ns++;
		assert_true(user[number].beyond_ns <= server[number].hold_ns + 1);
	}
	user[number].ran_ns++;
	if (is_foul) {
		user[number].kept_ns = wanted < number ? user[number].kept_ns + 1 : 0;
		assert_true(user[number].kept_ns <= server[number].hold_ns + 1);
		return;
	}
	assert_true(is_free_to_run(number));
	assert_false(server[number].is_foul);
	for (size_t i = 0; i < number; i++)
		assert_true(user[i].ran_ns >= user[i].due_ns || !is_free_to_run(i));
}

static void be_at(struct plf_budgets *b, uint64_t now_ns, bool is_foul)
{
	bool calls = false;

	for (size_t i = 0; i < SERVERS; i++)
		open_period(i, now_ns);
	if (b->current != NULL)
		calls = act(b, (size_t)(b->current - server), now_ns, is_foul);
	for (size_t i = 0; i < SERVERS; i++)
		server[i].claim = user[i].inside;
	if (calls || plf_budgets_next(b) <= now_ns)
		plf_budgets_advance(b, now_ns);
	judge(b, is_foul);
	if (b->current != NULL && user[b->current - server].inside != 0 &&
	    user[b->current - server].rest_ns > 0)
		user[b->current - server].rest_ns--;
}

static uint64_t share_at_random(unsigned seed, bool is_foul)
{
	struct plf_budgets b = begin(count);
	uint64_t beyond_ns = 0;

	srand(seed);
	memset(user, 0, sizeof(user));
	for (size_t i = 0; i < SERVERS; i++) {
		uint64_t period_ns = 15 + (uint64_t)rand() % 40;
		uint64_t budget_ns = 3 + (uint64_t)rand() % (period_ns / 4);

		add(&b, i, (int)(SERVERS - i), period_ns, budget_ns);
		share(i, (enum policy)(rand() % 3), (uint64_t)rand() % (budget_ns - 1));
	}
	for (uint64_t now_ns = 0; now_ns < 2000; now_ns++) {
		be_at(&b, now_ns, is_foul);
		beyond_ns += user[0].beyond_ns;
	}
	return beyond_ns;
}

static void random_sharers(void **state)
{
	uint64_t beyond_ns = 0;

	(void)state;
	for (unsigned seed = 1; seed <= 500; seed++)
		beyond_ns += share_at_random(seed, false);
	assert_true(beyond_ns > 0);
}

static void random_foul_sharers(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 500; seed++)
		share_at_random(seed, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(papers_servers),
		cmocka_unit_test(preempted_server_keeps_its_budget),
		cmocka_unit_test(whole_budget_is_never_lost),
		cmocka_unit_test(lateness_moves_nothing),
		cmocka_unit_test(no_drift_over_a_million_periods),
		cmocka_unit_test(random_servers),
		cmocka_unit_test(one_that_goes_hands_on),
		cmocka_unit_test(order_is_of_priorities),
		cmocka_unit_test(one_that_comes_again_has_nothing),
		cmocka_unit_test(no_more_than_the_cpu),
		cmocka_unit_test(papers_overrun),
		cmocka_unit_test(nothing_is_left_of_an_overrun),
		cmocka_unit_test(an_overrun_ends),
		cmocka_unit_test(no_more_is_paid_back_than_a_budget),
		cmocka_unit_test(a_claim_keeps_out),
		cmocka_unit_test(a_claim_keeps_out_for_x),
		cmocka_unit_test(a_claim_lets_in_what_is_above),
		cmocka_unit_test(mutual_claims_leave_no_cpu_unused),
		cmocka_unit_test(a_claim_without_the_cpu_keeps_out_for_no_time),
		cmocka_unit_test(random_sharers),
		cmocka_unit_test(random_foul_sharers),
	};

	setenv("CMOCKA_TEST_ABORT", "1", 1); /* a failed test may not spoil the next test */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
