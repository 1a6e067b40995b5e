/* SPDX-License-Identifier: MIT */
#ifndef PLF_BUDGET_H
#define PLF_BUDGET_H

/*
 * Which server of a CPU has it, as a function of time: idling periodic servers of fixed priorities
 * (van den Heuvel et al., OSPERT 2010, 8, Section IV; Asberg et al., OSPERT 2010, 5, II.A).
 *
 * Invariant, at any instant: the CPU is that of the most urgent server with budget left, whether or
 * not it has anything to run; that budget alone burns. A server has its whole budget at the begin
 * of each period, whatever was left. So threads have no say here, and the instants of all
 * decisions are known beforehand.
 *
 * The instants are absolute, and each follows from those before it. A caller that comes late gets
 * the events that went by, at the instants when they were due, and the next: lateness delays a
 * switch, and never moves a later one (Asberg et al., III.C, have a one-shot timer that drifts).
 */
#include <plafond.h>

#include <stdint.h>

struct plf_budget {
	int priority;
	uint64_t period_ns, budget_ns;
	uint64_t left_ns;
	uint64_t next_ns; /* its next period begins */
	struct plf_budget *less_urgent;
};

struct plf_budgets {
	struct plf_budget *first;   /* the most urgent one */
	struct plf_budget *current; /* has the CPU; NULL: none has */
	uint64_t now_ns;	    /* until when that is known, and budgets are charged */
	void (*on_event)(struct plf_budget *budget, enum plf_server_event event, uint64_t time_ns);
};

/* The time is now_ns: go there. Returns when the next decision is due; UINT64_MAX: never. */
uint64_t plf_budgets_advance(struct plf_budgets *budgets, uint64_t now_ns);

/*
 * One server more, whose priority no other has, or one less: after plf_budgets_advance() to now,
 * and before the next, which may be to the same instant. Its first period begins at next_ns.
 */
void plf_budgets_add(struct plf_budgets *budgets, struct plf_budget *budget);
void plf_budgets_remove(struct plf_budgets *budgets, struct plf_budget *budget);

/* May this one come, too: is what all of them have at most the CPU? */
bool plf_budgets_have_room(const struct plf_budgets *budgets, const struct plf_budget *budget);

#endif
