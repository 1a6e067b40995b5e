/* SPDX-License-Identifier: MIT */
#include "budget.h"

static void report(const struct plf_budgets *budgets, struct plf_budget *budget,
		   enum plf_server_event event)
{
	budgets->on_event(budget, event, budgets->now_ns);
}

static struct plf_budget *most_urgent(const struct plf_budgets *budgets)
{
	struct plf_budget *budget = budgets->first;

	while (budget != NULL && budget->left_ns == 0)
		budget = budget->less_urgent;
	return budget;
}

static void decide(struct plf_budgets *budgets)
{
	struct plf_budget *before = budgets->current;

	budgets->current = most_urgent(budgets);
	if (budgets->current == before)
		return;
	if (before != NULL)
		report(budgets, before, PLF_SERVER_LOSES);
	if (budgets->current != NULL)
		report(budgets, budgets->current, PLF_SERVER_GETS);
}

/* Its time is over, or a period begins. */
static uint64_t next_decision(const struct plf_budgets *budgets)
{
	const struct plf_budget *current = budgets->current;
	uint64_t next_ns = current == NULL ? UINT64_MAX : budgets->now_ns + current->left_ns;

	for (const struct plf_budget *b = budgets->first; b != NULL; b = b->less_urgent)
		next_ns = b->next_ns < next_ns ? b->next_ns : next_ns;
	return next_ns;
}

/* No decision is due before time_ns: so no more is used than was left. */
static void charge(struct plf_budgets *budgets, uint64_t time_ns)
{
	struct plf_budget *current = budgets->current;
	uint64_t used_ns = time_ns - budgets->now_ns;

	budgets->now_ns = time_ns;
	if (current == NULL || used_ns == 0)
		return;
	current->left_ns -= used_ns;
	if (current->left_ns == 0)
		report(budgets, current, PLF_SERVER_DEPLETED);
}

static void replenish(struct plf_budgets *budgets)
{
	for (struct plf_budget *b = budgets->first; b != NULL; b = b->less_urgent) {
		if (b->next_ns != budgets->now_ns)
			continue;
		b->left_ns = b->budget_ns;
		b->next_ns += b->period_ns;
		report(budgets, b, PLF_SERVER_REPLENISHED);
	}
}

uint64_t plf_budgets_advance(struct plf_budgets *budgets, uint64_t now_ns)
{
	uint64_t next_ns;

	decide(budgets);
	while ((next_ns = next_decision(budgets)) <= now_ns) {
		charge(budgets, next_ns);
		replenish(budgets);
		decide(budgets);
	}
	charge(budgets, now_ns);
	return next_ns;
}

void plf_budgets_add(struct plf_budgets *budgets, struct plf_budget *budget)
{
	struct plf_budget **link = &budgets->first;

	while (*link != NULL && (*link)->priority > budget->priority)
		link = &(*link)->less_urgent;
	budget->less_urgent = *link;
	budget->left_ns = 0;
	*link = budget;
}

void plf_budgets_remove(struct plf_budgets *budgets, struct plf_budget *budget)
{
	struct plf_budget **link = &budgets->first;

	while (*link != budget)
		link = &(*link)->less_urgent;
	*link = budget->less_urgent;
	budget->left_ns = 0;
	decide(budgets);
}

static double share_of(const struct plf_budget *budget)
{
	return (double)budget->budget_ns / (double)budget->period_ns;
}

/* Room for the rounding of sums such as that of three thirds. */
#define ROUNDING 1e-9

bool plf_budgets_have_room(const struct plf_budgets *budgets, const struct plf_budget *budget)
{
	double sum = share_of(budget);

	for (const struct plf_budget *b = budgets->first; b != NULL; b = b->less_urgent)
		sum += share_of(b);
	return sum <= 1 + ROUNDING;
}
