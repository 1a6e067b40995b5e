/* SPDX-License-Identifier: MIT */
#ifndef PLF_BUDGET_H
#define PLF_BUDGET_H

/*
 * Which server of a CPU has it, as a function of time and of what servers claim: idling periodic
 * servers of fixed priorities (van den Heuvel et al., OSPERT 2010, 8, Sections IV and VI to VIII;
 * Asberg et al., OSPERT 2010, 5, II and III).
 *
 * A server *claims* the ceiling of what its open sections share with other servers: the highest
 * priority of a server that uses it, its own at least. A claim *counts* unless it is foul.
 * Invariants, at any instant:
 *  B1  the CPU is that of the most urgent server that has time and is not kept out, whether or not
 *      it has anything to run; its time alone burns. It has time while budget is left, or while it
 *      overruns. It is kept out if its priority is at or below a claim that counts, of another;
 *  B2  a server has its whole budget at the begin of each period, whatever was left, less what it
 *      owes. So where no server claims, threads have no say here, and the instants of all decisions
 *      are known beforehand;
 *  B3  a server that may, and whose claim counts when its budget ends, overruns: until it claims
 *      nothing, its next period begins, or X and one are used up. With payback it owes what it
 * used; B4  a claim keeps others out for X and one of the claimant's own time, from when one was
 * found kept out until none is. It is foul then, and where its server has no time any more: until
 *      the server claims nothing. So of two claims that count, that of the more urgent server is
 *      above the other, and one that keeps a server out is that of the server with the CPU.
 *
 * X is the longest section. The one is for an unlock at the very instant: see lazy_global.h.
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
	bool overruns, pays_back;
	uint64_t hold_ns; /* X; 0: it shares nothing */
	uint64_t left_ns;
	uint64_t next_ns; /* its next period begins */
	struct plf_budget *less_urgent;
	/* what it shares with others */
	int claim; /* as the caller found it; 0: none */
	bool is_foul;
	uint64_t overrun_ns; /* left of an overrun; 0: none goes on */
	uint64_t owed_ns;
	uint64_t keeps_ns; /* it may keep others out for so long */
};

struct plf_budgets {
	struct plf_budget *first;   /* the most urgent one */
	struct plf_budget *current; /* has the CPU; NULL: none has */
	struct plf_budget *kept;    /* would have it but for a claim; NULL: none would */
	uint64_t now_ns;	    /* until when that is known, and budgets are charged */
	void (*on_event)(struct plf_budget *budget, enum plf_server_event event, uint64_t time_ns);
};

/*
 * The time is now_ns, and the claims are as found: go there. Events that went by are decided by
 * these claims. Returns when the next decision is due; UINT64_MAX: never.
 */
uint64_t plf_budgets_advance(struct plf_budgets *budgets, uint64_t now_ns);

/* When that is. */
uint64_t plf_budgets_next(const struct plf_budgets *budgets);

/* The server that has the CPU must call when its claim falls below that. 0: it need not. */
int plf_budgets_late(const struct plf_budgets *budgets);

/*
 * One server more, whose priority no other has, or one less: after plf_budgets_advance() to now,
 * and before the next, which may be to the same instant. Its first period begins at next_ns.
 */
void plf_budgets_add(struct plf_budgets *budgets, struct plf_budget *budget);
void plf_budgets_remove(struct plf_budgets *budgets, struct plf_budget *budget);

/* May this one come, too: is what all of them have at most the CPU? */
bool plf_budgets_have_room(const struct plf_budgets *budgets, const struct plf_budget *budget);

#endif
