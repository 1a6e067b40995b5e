/* SPDX-License-Identifier: MIT */
#ifndef PLF_BUDGET_H
#define PLF_BUDGET_H

/*
 * Which server has a CPU, as a function of time and of the servers' claims: idling periodic servers
 * of fixed priorities (van den Heuvel et al., OSPERT 2010, 8, Sections IV and VI to VIII; Asberg et
 * al., OSPERT 2010, 5, II and III).
 *
 * A resource that servers share has a ceiling: the priority of the most urgent server that uses it.
 * A server *claims* the highest ceiling of its open sections of this kind. A claim *counts* unless
 * it is foul (B4). X is the longest section of a server. Invariants, at any instant:
 *  B1  The CPU belongs to the most urgent server that has time and is not kept out, even if it has
 *      nothing to run. Only the time of that server burns. A server has time while budget is left
 *      or while it overruns. It is kept out if another server's claim counts and is at or above its
 *      priority.
 *  B2  At the begin of each period a server has its whole budget, less the time it owes; older
 *      budget is lost. So while no server claims, the instants of all decisions are known
 *      beforehand, whatever the threads do.
 *  B3  If a server may overrun, and its claim counts when its budget ends, it overruns. The overrun
 *      ends when the server claims nothing, when its next period begins, or after X + 1 ns. With
 *      payback, the server owes the time of the overrun.
 *  B4  A claim may keep others out for X + 1 ns of the claimant's time. This time counts from the
 *      moment a server is found kept out until none is. The claim becomes foul when this time is
 *      used up, or when the claimant has no time any more. It stays foul until the server claims
 *      nothing. So of two claims that count, the more urgent server has the higher claim. A claim
 *      that keeps a server out belongs to the server that has the CPU.
 *
 * The extra nanosecond is for an unlock at the very instant: see lazy_global.h.
 *
 * Instants are absolute, and each follows from earlier instants. A caller that comes late gets the
 * events that went by, at the instants when they were due. So lateness delays a switch, but never
 * moves a later one. (The one-shot timer of Asberg et al., III.C, drifts.)
 */
#include <plafond.h>

#include <stdint.h>

struct plf_budget {
	int priority;
	uint64_t period_ns, budget_ns;
	bool overruns, pays_back;
	uint64_t hold_ns; /* X; 0: the server shares nothing */
	uint64_t left_ns;
	uint64_t next_ns; /* begin of the next period */
	struct plf_budget *less_urgent;
	/* resources that it shares with other servers */
	int claim; /* as the caller found it; 0: no claim */
	bool is_foul;
	uint64_t overrun_ns; /* left of an overrun; 0: none goes on */
	uint64_t owed_ns;
	uint64_t keeps_ns; /* how long its claim may still keep others out */
};

struct plf_budgets {
	struct plf_budget *first;   /* the most urgent server */
	struct plf_budget *current; /* the server that has the CPU; NULL: none */
	struct plf_budget *kept;    /* the server that a claim keeps from the CPU; NULL: none */
	uint64_t now_ns;	    /* time of the last decision; budgets are charged up to it */
	void (*on_event)(struct plf_budget *budget, enum plf_server_event event, uint64_t time_ns);
};

/*
 * Advance to now_ns. The caller has stored the claims that it found; they also decide the events
 * that went by meanwhile. Returns when the next decision is due; UINT64_MAX: never.
 */
uint64_t plf_budgets_advance(struct plf_budgets *budgets, uint64_t now_ns);

/* When the next decision is due; UINT64_MAX: never. */
uint64_t plf_budgets_next(const struct plf_budgets *budgets);

/* The server with the CPU must call when its claim falls below this value. 0: it need not call. */
int plf_budgets_late(const struct plf_budgets *budgets);

/*
 * Add a server, whose priority no other server has, or remove a server. Its next_ns is the begin of
 * its first period. Call plf_budgets_advance() to the present time before, and again afterwards;
 * the second call may be for the same instant.
 */
void plf_budgets_add(struct plf_budgets *budgets, struct plf_budget *budget);
void plf_budgets_remove(struct plf_budgets *budgets, struct plf_budget *budget);

/* Is there room for this server? True if all budgets together take at most the whole CPU. */
bool plf_budgets_have_room(const struct plf_budgets *budgets, const struct plf_budget *budget);

#endif
