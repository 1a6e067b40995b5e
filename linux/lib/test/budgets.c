/* SPDX-License-Identifier: MIT */

/* Which server has the CPU, as a function of time: to the nanosecond, and without any thread. */
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
				 "RDGL"[event], (unsigned long long)time_ns);
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

/* A less urgent one loses the CPU with budget left, and has that left when it gets it again. */
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

/* With all of the CPU it never loses it. */
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

/* One instant after the other: the simplest that can be said. */
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
			/* next_ns moves: what is due now is due a number of periods before it */
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
	assert_int_equal(plf_budgets_advance(&b, 10), 60);
	assert_string_equal(text, "0R0 1R0 0G0 0L10 1G10 ");
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
		cmocka_unit_test(no_more_than_the_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
