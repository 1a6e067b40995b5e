/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "server.h"

#include "futex.h"
#include "gate.h"

#include <limits.h>
#include <sched.h>

/* ---- The gate ---------------------------------------------------------- */

/* Frame 0 is only for the bottom of a stack. */
static struct plf_frame *frame_of(struct plf_supply *supply)
{
	return &supply->gate->thread.frame[1];
}

/* Other threads of the CPU do not run meanwhile, so no step has to be repeated. */
static void cover(struct plf_supply *supply)
{
	struct plf_thread *gate = &supply->gate->thread;
	uint32_t rank = plf_rank(gate->cpu, PLF_RANK_SPAN - 1);

	plf_store32(&supply->shut, 1);
	while (plf_publish(gate, frame_of(supply), rank, plf_load64(gate->top), &plf_by_cas) !=
	       PLF_WRITTEN)
		;
}

static void uncover(struct plf_supply *supply)
{
	struct plf_thread *gate = &supply->gate->thread;

	while (plf_unpublish(gate, frame_of(supply), plf_load64(gate->top), &plf_by_cas) !=
	       PLF_WRITTEN)
		;
	plf_store32(&supply->shut, 0);
	plf_futex(&supply->shut, FUTEX_WAKE, INT_MAX, NULL, 0);
	plf_gates_release(frame_of(supply), gate->tid);
}

void plf_supply_pass(struct plf_slot *slot)
{
	struct plf_supply *supply = slot->supply;

	while (supply != NULL && plf_load32(&supply->shut) != 0) {
		plf_supply_sleeps(slot);
		plf_futex_wait(&supply->shut, 1, NULL);
		plf_supply_wakes(slot);
	}
}

/* The manager does not park a thread that is asleep. So look at `parked` after noting the sleep. */
void plf_supply_sleeps_till(struct plf_slot *slot)
{
	plf_supply_sleeps(slot);
	while (plf_load32(&slot->parked) != 0) {
		plf_supply_pass(slot);
		plf_supply_sleeps(slot);
	}
}

/* ---- The threads ------------------------------------------------------- */

/* If the thread has ended meanwhile, there is nothing to change. */
static void set_policy(const struct plf_slot *slot, int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };
	int saved = errno;

	sched_setscheduler((pid_t)slot->thread.tid, policy | slot->policy_flags, &param);
	errno = saved;
}

static void park(struct plf_slot *slot)
{
	set_policy(slot, SCHED_IDLE, 0);
	plf_store32(&slot->parked, 1);
}

static void unpark(struct plf_slot *slot)
{
	set_policy(slot, SCHED_FIFO, slot->fifo_priority);
	plf_store32(&slot->parked, 0);
}

/* SLOT's thread leaves the server, and claims nothing. */
static void forget(struct plf_supply *supply, struct plf_slot *slot)
{
	slot->supply = NULL;
	if (slot->claim != 0)
		__atomic_fetch_sub(&supply->claimants, 1, __ATOMIC_RELAXED);
}

/*
 * Forget dead threads. The kernel marks them before their TIDs are used again: see robust_list.h.
 */
static void forget_dead(struct plf_supply *supply)
{
	for (struct plf_slot **link = &supply->members; *link != NULL;) {
		struct plf_slot *slot = *link;

		if (!plf_is_dead(&slot->thread)) {
			link = &slot->next_member;
			continue;
		}
		*link = slot->next_member;
		forget(supply, slot);
	}
}

/*
 * Park all awake threads. This is repeated at each decision, because a thread may have joined
 * meanwhile.
 */
static uint32_t park_all(struct plf_supply *supply)
{
	uint32_t changes = 0;

	for (struct plf_slot *slot = supply->members; slot != NULL; slot = slot->next_member) {
		if (slot->parked != 0 || plf_load32(&slot->asleep) != 0)
			continue;
		park(slot);
		changes++;
	}
	return changes;
}

static uint32_t unpark_all(struct plf_supply *supply)
{
	uint32_t changes = 0;

	for (struct plf_slot *slot = supply->members; slot != NULL; slot = slot->next_member) {
		if (slot->parked == 0)
			continue;
		unpark(slot);
		changes++;
	}
	return changes;
}

uint32_t plf_supply_shut(struct plf_supply *supply)
{
	if (supply->shut == 0)
		cover(supply);
	forget_dead(supply);
	return supply->budget.left_ns == 0 ? park_all(supply) : 0;
}

uint32_t plf_supply_open(struct plf_supply *supply)
{
	uint32_t changes;

	if (supply->shut == 0)
		return 0;
	forget_dead(supply);
	changes = unpark_all(supply);
	uncover(supply);
	return changes;
}

bool plf_supply_is_awake(struct plf_supply *supply)
{
	const struct plf_slot *slot;

	forget_dead(supply);
	for (slot = supply->members; slot != NULL; slot = slot->next_member)
		if (plf_load32(&slot->asleep) == 0)
			return true;
	return false;
}

bool plf_supply_is_empty(struct plf_supply *supply)
{
	forget_dead(supply);
	return supply->members == NULL;
}

/* ---- Claims ------------------------------------------------------------ */

int plf_supply_claim(struct plf_supply *supply)
{
	uint32_t highest = 0;

	if (!supply->shares)
		return 0;
	forget_dead(supply);
	for (struct plf_slot *slot = supply->members; slot != NULL; slot = slot->next_member) {
		uint32_t claim = plf_load32(&slot->claim);

		highest = claim > highest ? claim : highest;
	}
	return (int)highest;
}

void plf_supply_publish(struct plf_supply *supply, uint64_t end_ns, int late)
{
	uint64_t last_ns = plf_lazy_global_last_ns(end_ns, supply->budget.hold_ns);

	plf_lazy_global_publish(&supply->words, last_ns, (uint32_t)late, 0);
}

void plf_supply_begin_round(struct plf_supply *supply)
{
	plf_store32(&supply->round, supply->round + 1);
	if (supply->shares)
		plf_futex(&supply->round, FUTEX_WAKE, INT_MAX, NULL, 0);
}

/* ---- The band ---------------------------------------------------------- */

int plf_supply_highest(const struct plf_supply *supply)
{
	int highest = supply->budget.priority;

	for (const struct plf_slot *slot = supply->members; slot != NULL; slot = slot->next_member)
		highest = slot->fifo_priority > highest ? slot->fifo_priority : highest;
	return highest;
}

int plf_supply_admits(const struct plf_supply *supply, const struct plf_budgets *budgets,
		      int fifo_priority)
{
	if (fifo_priority >= PLF_GLOBAL_BAND)
		return ERANGE;
	for (const struct plf_budget *b = budgets->first; b != NULL; b = b->less_urgent)
		if (b->priority > supply->budget.priority && b->priority <= fifo_priority)
			return ERANGE;
	return 0;
}

/*
 * Join behind the other members, because parked threads of the same priority come back in this
 * order.
 */
void plf_supply_take_in(struct plf_supply *supply, struct plf_slot *slot, int fifo_priority)
{
	struct plf_slot **link = &supply->members;

	while (*link != NULL)
		link = &(*link)->next_member;
	slot->fifo_priority = fifo_priority;
	slot->parked = 0;
	slot->asleep = 0;
	slot->claim = 0;
	slot->next_member = NULL;
	slot->supply = supply;
	*link = slot;
}

void plf_supply_let_go(struct plf_slot *slot)
{
	struct plf_slot **link = &slot->supply->members;

	while (*link != slot)
		link = &(*link)->next_member;
	*link = slot->next_member;
	forget(slot->supply, slot);
	if (slot->parked != 0)
		unpark(slot);
}
