/* SPDX-License-Identifier: MIT */
#include "budget.h"

#include <plafond/lazy_global.h>

static void report(const struct plf_budgets *budgets, struct plf_budget *budget,
		   enum plf_server_event event)
{
	budgets->on_event(budget, event, budgets->now_ns);
}

/* ---- Claims ------------------------------------------------------------ */

static bool has_time(const struct plf_budget *budget)
{
	return budget->left_ns > 0 || budget->overrun_ns > 0;
}

static bool is_kept_out(const struct plf_budgets *budgets, const struct plf_budget *budget)
{
	for (const struct plf_budget *b = budgets->first; b != NULL; b = b->less_urgent)
		if (b != budget && !b->is_foul && b->claim >= budget->priority)
			return true;
	return false;
}

static struct plf_budget *most_urgent(const struct plf_budgets *budgets)
{
	struct plf_budget *budget = budgets->first;

	while (budget != NULL && !has_time(budget))
		budget = budget->less_urgent;
	return budget;
}

/*
 * By B4 this is the most urgent server with time, or the server whose claim keeps it out. Threads
 * that were moved to another CPU may break B4, so that two servers keep each other out. Then it is
 * the most urgent server with time.
 */
static struct plf_budget *eligible(const struct plf_budgets *budgets)
{
	struct plf_budget *budget = budgets->first;

	while (budget != NULL && (!has_time(budget) || is_kept_out(budgets, budget)))
		budget = budget->less_urgent;
	return budget != NULL ? budget : most_urgent(budgets);
}

static bool keeps_out(const struct plf_budgets *budgets)
{
	return budgets->current != most_urgent(budgets);
}

static void end_overrun(struct plf_budget *budget)
{
	if (budget->overrun_ns == 0)
		return;
	if (budget->pays_back)
		budget->owed_ns = plf_lazy_global_used(budget->overrun_ns,
						       plf_lazy_global_most(budget->hold_ns));
	budget->overrun_ns = 0;
}

/* End the overrun of a server that claims nothing any more. */
static void stop_overrun(const struct plf_budgets *budgets, struct plf_budget *budget)
{
	if (budget->overrun_ns == 0)
		return;
	end_overrun(budget);
	report(budgets, budget, PLF_SERVER_DEPLETED);
}

/* End overruns of servers without a claim, and find the claims that do not count. */
static void look_at_claims(struct plf_budgets *budgets)
{
	for (struct plf_budget *b = budgets->first; b != NULL; b = b->less_urgent) {
		if (b->claim == 0) {
			b->is_foul = false;
			stop_overrun(budgets, b);
		} else if (!has_time(b)) {
			b->is_foul = true;
		}
	}
}

int plf_budgets_late(const struct plf_budgets *budgets)
{
	const struct plf_budget *current = budgets->current;

	if (current == NULL)
		return 0;
	if (keeps_out(budgets))
		return most_urgent(budgets)->priority;
	return current->overrun_ns > 0 || current->is_foul ? 1 : 0;
}

/* ---- Time -------------------------------------------------------------- */

/* Find the server that the server with the CPU keeps out (B4). */
static void look_what_is_kept(struct plf_budgets *budgets)
{
	struct plf_budget *before = budgets->kept;

	budgets->kept = keeps_out(budgets) ? most_urgent(budgets) : NULL;
	if (budgets->kept != NULL && budgets->kept != before)
		report(budgets, budgets->kept, PLF_SERVER_KEPT_OUT);
	if (budgets->kept == NULL && budgets->current != NULL)
		budgets->current->keeps_ns = plf_lazy_global_most(budgets->current->hold_ns);
}

static void decide(struct plf_budgets *budgets)
{
	struct plf_budget *before = budgets->current;

	look_at_claims(budgets);
	budgets->current = eligible(budgets);
	look_what_is_kept(budgets);
	if (budgets->current == before)
		return;
	if (before != NULL)
		report(budgets, before, PLF_SERVER_LOSES);
	if (budgets->current != NULL)
		report(budgets, budgets->current, PLF_SERVER_GETS);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How long the server with the CPU may go on. */
static uint64_t stretch(const struct plf_budgets *budgets)
{
	const struct plf_budget *current = budgets->current;
	uint64_t left_ns = current->left_ns > 0 ? current->left_ns : current->overrun_ns;

	return keeps_out(budgets) ? least(left_ns, current->keeps_ns) : left_ns;
}

/* The next decision is due when the current server's time is over, or when a period begins. */
uint64_t plf_budgets_next(const struct plf_budgets *budgets)
{
	uint64_t next_ns =
		budgets->current == NULL ? UINT64_MAX : budgets->now_ns + stretch(budgets);

	for (const struct plf_budget *b = budgets->first; b != NULL; b = b->less_urgent)
		next_ns = least(next_ns, b->next_ns);
	return next_ns;
}

/* The budget has ended: B3. */
static void deplete(const struct plf_budgets *budgets, struct plf_budget *budget)
{
	if (!budget->overruns || budget->claim == 0 || budget->is_foul) {
		report(budgets, budget, PLF_SERVER_DEPLETED);
		return;
	}
	budget->overrun_ns = plf_lazy_global_most(budget->hold_ns);
	report(budgets, budget, PLF_SERVER_OVERRUNS);
}

/* If the overrun is used up, a server that pays back owes all of it. */
static void charge_overrun(const struct plf_budgets *budgets, struct plf_budget *budget,
			   uint64_t used_ns)
{
	budget->overrun_ns -= used_ns;
	if (budget->overrun_ns > 0)
		return;
	if (budget->pays_back)
		budget->owed_ns = plf_lazy_global_most(budget->hold_ns);
	report(budgets, budget, PLF_SERVER_DEPLETED);
}

/*
 * No decision is due before time_ns, so no more is used than was left. Nothing may be left of the
 * time to keep others out, if a thread with a claim was moved to another CPU.
 */
static void charge(struct plf_budgets *budgets, uint64_t time_ns)
{
	struct plf_budget *current = budgets->current;
	uint64_t used_ns = time_ns - budgets->now_ns;

	budgets->now_ns = time_ns;
	if (current == NULL)
		return;
	if (keeps_out(budgets))
		current->keeps_ns -= used_ns;
	if (current->left_ns == 0) {
		charge_overrun(budgets, current, used_ns);
	} else {
		current->left_ns -= used_ns;
		if (current->left_ns == 0)
			deplete(budgets, current);
	}
	if (current->keeps_ns == 0)
		current->is_foul = true;
}

static void pay_back(const struct plf_budgets *budgets, struct plf_budget *budget)
{
	if (budget->owed_ns == 0)
		return;
	budget->left_ns -= least(budget->owed_ns, budget->left_ns);
	budget->owed_ns = 0;
	report(budgets, budget, PLF_SERVER_PAYS_BACK);
}

static void replenish(struct plf_budgets *budgets)
{
	for (struct plf_budget *b = budgets->first; b != NULL; b = b->less_urgent) {
		if (b->next_ns != budgets->now_ns)
			continue;
		end_overrun(b);
		b->left_ns = b->budget_ns;
		b->next_ns += b->period_ns;
		report(budgets, b, PLF_SERVER_REPLENISHED);
		pay_back(budgets, b);
	}
}

uint64_t plf_budgets_advance(struct plf_budgets *budgets, uint64_t now_ns)
{
	uint64_t next_ns;

	while ((next_ns = plf_budgets_next(budgets)) <= now_ns) {
		charge(budgets, next_ns);
		replenish(budgets);
		decide(budgets);
	}
	charge(budgets, now_ns);
	decide(budgets);
	return plf_budgets_next(budgets);
}

/* ---- Servers ----------------------------------------------------------- */

void plf_budgets_add(struct plf_budgets *budgets, struct plf_budget *budget)
{
	struct plf_budget **link = &budgets->first;

	while (*link != NULL && (*link)->priority > budget->priority)
		link = &(*link)->less_urgent;
	budget->less_urgent = *link;
	budget->left_ns = budget->overrun_ns = budget->owed_ns = 0;
	*link = budget;
}

void plf_budgets_remove(struct plf_budgets *budgets, struct plf_budget *budget)
{
	struct plf_budget **link = &budgets->first;

	while (*link != budget)
		link = &(*link)->less_urgent;
	*link = budget->less_urgent;
	decide(budgets);
}

static double share_of(const struct plf_budget *budget)
{
	return (double)budget->budget_ns / (double)budget->period_ns;
}

/* Tolerance for the rounding of sums, such as three thirds. */
#define ROUNDING 1e-9

bool plf_budgets_have_room(const struct plf_budgets *budgets, const struct plf_budget *budget)
{
	double sum = share_of(budget);

	for (const struct plf_budget *b = budgets->first; b != NULL; b = b->less_urgent)
		sum += share_of(b);
	return sum <= 1 + ROUNDING;
}
