/* SPDX-License-Identifier: MIT */
/* See controller.h. */
#include "controller.h"

#include "processor.h"

#include <stdio.h>
#include <stdlib.h>

enum { CONSOLE_SOURCE = 1 };

enum { OPEN = 1 << 0, OPEN_BESIDE = 1 << 1 };

/* The order of kinds is the order in which interrupts of equal level come. */
enum kind { FROM_CORE, TIMER, ARRIVAL, SOURCE, TASK, NOTHING };

struct interrupt {
	enum kind kind;
	unsigned level;
	unsigned isr; /* of kind SOURCE */
};

static struct controller {
	uint64_t at_ns[PLF_TIMERS];
	uint32_t raised;   /* bit mask of interrupts of plf_isr_config */
	uint32_t disabled; /* the same: disabled interrupts */
	uint32_t served;   /* the same: interrupts whose handler runs or waits */
	unsigned open;	   /* categories that a routine lets come into it */
	bool is_notified;  /* by another core */
	uint32_t pending;  /* bit mask of levels of tasks */
	uint32_t active;   /* the same: levels that were taken and have not ended */
	unsigned mask;	   /* the highest level that is held back */
} controllers[PLF_CPUS];

static struct controller *this_controller(void)
{
	return &controllers[plf_current_core()];
}

void plf_controller_start(unsigned core)
{
	for (unsigned timer = 0; timer < PLF_TIMERS; timer++)
		controllers[core].at_ns[timer] = UINT64_MAX;
}

static void let_nest(struct controller *c);

/* ---- Interrupts become pending -------------------------------------------------- */

void plf_port_set_timer(uint64_t at_ns)
{
	this_controller()->at_ns[PLF_TIMER_ALARMS] = at_ns;
}

void plf_port_set_arrival(uint64_t at_ns)
{
	this_controller()->at_ns[PLF_TIMER_ARRIVALS] = at_ns;
}

/* A disabled interrupt is dropped, so it is not pending after plf_port_enable(). */
static void make_pending(struct controller *c, unsigned isr)
{
	c->raised |= 1U << isr & ~c->disabled;
}

/* Bit mask of the interrupts of a source. */
static uint32_t interrupts_of(uint32_t source)
{
	uint32_t all = 0;

	for (unsigned isr = 0; isr < PLF_ISRS; isr++)
		if (plf_isr_config[isr].source == source)
			all |= 1U << isr;
	return all;
}

/* A source that the description does not name raises no interrupt. */
void plf_port_raise(uint32_t source)
{
	for (unsigned isr = 0; isr < PLF_ISRS; isr++)
		if (plf_isr_config[isr].source == source)
			make_pending(&controllers[plf_isr_config[isr].core], isr);
	let_nest(this_controller());
}

void plf_port_disable(uint32_t source)
{
	uint32_t all = interrupts_of(source);

	this_controller()->disabled |= all;
	this_controller()->raised &= ~all;
}

void plf_port_enable(uint32_t source)
{
	this_controller()->disabled &= ~interrupts_of(source);
}

bool plf_port_is_active(uint32_t source)
{
	for (unsigned isr = 0; isr < PLF_ISRS; isr++)
		if (plf_isr_config[isr].source == source)
			return this_controller()->served >> isr & 1;
	return false;
}

void plf_port_end_interrupt(uint32_t source)
{
	for (unsigned isr = 0; isr < PLF_ISRS; isr++)
		if (plf_isr_config[isr].source == source)
			this_controller()->served &= ~(1U << isr);
}

void plf_port_notify(unsigned core)
{
	controllers[core].is_notified = true;
}

void plf_controller_pend(unsigned core, unsigned level)
{
	controllers[core].pending |= 1U << level;
}

/* ---- The next interrupt ------------------------------------------------------------- */

static unsigned highest(uint32_t levels)
{
	return levels ? 31U - (unsigned)__builtin_clz(levels) : 0;
}

/*
 * Keep the more urgent interrupt. Callers must ask in the order of kinds, which decides at equal
 * levels.
 */
static void prefer(struct interrupt *best, enum kind kind, unsigned level, unsigned isr)
{
	if (level > best->level)
		*best = (struct interrupt) { kind, level, isr };
}

static void prefer_sources(struct interrupt *best, const struct controller *c)
{
	for (unsigned isr = 0; isr < PLF_ISRS; isr++) {
		bool is_lower = best->kind == SOURCE && best->level == plf_isr_config[isr].level &&
				plf_isr_config[isr].source < plf_isr_config[best->isr].source;

		if (plf_is_category_1(isr) || !(c->raised >> isr & 1))
			continue;
		if (is_lower)
			best->isr = isr;
		else
			prefer(best, SOURCE, plf_isr_config[isr].level, isr);
	}
}

/* The most urgent pending interrupt, held back or not. */
static struct interrupt first_of(const struct controller *c)
{
	struct interrupt best = { NOTHING, 0, 0 };
	const uint8_t *levels = plf_timer_levels[c - controllers];
	uint64_t now_ns = plf_port_now_ns();

	if (c->is_notified)
		prefer(&best, FROM_CORE, 1, 0);
	if (PLF_COUNTERS && !PLF_TIMER_ENDS_BUDGETS && c->at_ns[PLF_TIMER_ALARMS] <= now_ns)
		prefer(&best, TIMER, levels[PLF_TIMER_ALARMS], 0);
	if (PLF_ARRIVALS && c->at_ns[PLF_TIMER_ARRIVALS] <= now_ns)
		prefer(&best, ARRIVAL, levels[PLF_TIMER_ARRIVALS], 0);
	prefer_sources(&best, c);
	prefer(&best, TASK, highest(c->pending), 0);
	return best;
}

/* The level of the routine that runs, or waits; 0: none. */
static unsigned served_level(const struct controller *c)
{
	unsigned level = 0;

	for (unsigned isr = 0; isr < PLF_ISRS; isr++)
		if (c->served >> isr & 1 && plf_isr_config[isr].level > level)
			level = plf_isr_config[isr].level;
	return level;
}

static bool is_held_back(const struct controller *c, unsigned level)
{
	return level <= c->mask || level <= highest(c->active) || level <= served_level(c);
}

/* ---- An interrupt comes ------------------------------------------------------------- */

static void serve(struct controller *c, struct interrupt next)
{
	switch (next.kind) {
	case FROM_CORE:
		c->is_notified = false;
		if (PLF_CPUS > 1 && !PLF_TASKS_ARE_INTERRUPTS)
			plf_notified();
		break;
	case TIMER:
		c->at_ns[PLF_TIMER_ALARMS] = UINT64_MAX;
		if (PLF_COUNTERS || PLF_TIMER_ENDS_BUDGETS)
			plf_timer();
		break;
	case ARRIVAL:
		c->at_ns[PLF_TIMER_ARRIVALS] = UINT64_MAX;
		if (PLF_ARRIVALS)
			plf_arrival();
		break;
	default:
		c->raised &= ~(1U << next.isr);
		if (PLF_CONSOLE && plf_isr_config[next.isr].source == CONSOLE_SOURCE)
			plf_receive();
		c->served |= 1U << next.isr;
		plf_interrupt(next.isr);
		if (!PLF_ROUTINES_WAIT)
			c->served &= ~(1U << next.isr);
	}
}

/* The pending interrupt of category 1 with the lowest source; PLF_ISRS: none. */
static unsigned first_beside(const struct controller *c)
{
	unsigned first = PLF_ISRS;

	for (unsigned isr = 0; isr < PLF_ISRS; isr++)
		if (plf_is_category_1(isr) && c->raised >> isr & 1 &&
		    (first == PLF_ISRS ||
		     plf_isr_config[isr].source < plf_isr_config[first].source))
			first = isr;
	return first;
}

static bool serve_beside(struct controller *c)
{
	unsigned isr = first_beside(c);
	uint32_t waits = c->served;

	if (isr == PLF_ISRS)
		return false;
	c->raised &= ~(1U << isr);
	c->served |= 1U << isr;
	plf_interrupt_beside(isr);
	c->served = waits;
	return true;
}

/*
 * Let an interrupt come into the running routine. No other comes until it has returned, as on the
 * board. A routine that lets category 2 come also lets category 1 come. Without an interrupt the
 * level is 0, which is held back.
 */
static bool nests(struct controller *c)
{
	struct interrupt next = first_of(c);
	unsigned open = c->open;
	bool comes = open & OPEN && !is_held_back(c, next.level);

	c->open = 0;
	if (serve_beside(c))
		comes = true;
	else if (comes)
		serve(c, next);
	c->open = open;
	return comes;
}

static void let_nest(struct controller *c)
{
	while (c->open && nests(c))
		;
}

void plf_port_mask_routine(bool masked, bool beside)
{
	struct controller *c = this_controller();

	c->open = (masked ? 0 : OPEN) | (beside ? 0 : OPEN_BESIDE);
	let_nest(c);
}

void plf_port_run_routine(void (*routine)(void))
{
	plf_port_mask_routine(false, false);
	routine();
	plf_port_mask_routine(true, true);
}

static bool ends_budget(const struct controller *c, enum plf_task_state state)
{
	bool is_due = c->at_ns[PLF_TIMER_ALARMS] <= plf_port_now_ns();

	return PLF_TIMER_ENDS_BUDGETS && is_due && !(state & PLF_WORKS);
}

bool plf_controller_interrupts(enum plf_task_state state)
{
	struct controller *c = this_controller();
	struct interrupt next = first_of(c);

	if (PLF_CATEGORY_1 && !(state & PLF_MASKS_ALL) && serve_beside(c))
		return true;
	if (ends_budget(c, state))
		next = (struct interrupt) { TIMER, 1, 0 };
	else if (state & PLF_MASKS || next.kind == NOTHING || is_held_back(c, next.level))
		return false;
	if (PLF_TASKS_ARE_INTERRUPTS)
		plf_interrupted();
	else
		serve(c, next);
	return true;
}

void plf_controller_hold_back(unsigned level)
{
	this_controller()->mask = level;
}

unsigned plf_controller_take(void)
{
	struct controller *c = this_controller();
	struct interrupt next = first_of(c);

	if (next.kind == NOTHING || is_held_back(c, next.level))
		return PLF_CONTROLLER_NONE;
	if (next.kind != TASK)
		return PLF_CONTROLLER_LEVELS + (unsigned)next.kind;
	c->pending &= ~(1U << next.level);
	c->active |= 1U << next.level;
	return next.level;
}

/* No more urgent interrupt can have come since this interrupt was taken. */
void plf_port_serve(unsigned taken)
{
	struct controller *c = this_controller();

	(void)taken;
	serve(c, first_of(c));
}

/* The board would end the level that was taken last, and continue with wrong priorities. */
void plf_controller_end(unsigned level)
{
	struct controller *c = this_controller();

	if (level == 0 || level != highest(c->active)) {
		fprintf(stderr, "sim: level %u ends, and %u is active\n", level,
			highest(c->active));
		abort();
	}
	c->active &= ~(1U << level);
}

uint64_t plf_controller_next_ns(enum plf_task_state state)
{
	const struct controller *c = this_controller();
	const uint8_t *levels = plf_timer_levels[plf_current_core()];
	uint64_t next_ns = UINT64_MAX;

	if (state & PLF_MASKS)
		return PLF_TIMER_ENDS_BUDGETS ? c->at_ns[PLF_TIMER_ALARMS] : UINT64_MAX;
	for (unsigned timer = 0; timer < PLF_TIMERS; timer++)
		if (c->at_ns[timer] < next_ns && !is_held_back(c, levels[timer]))
			next_ns = c->at_ns[timer];
	return next_ns;
}
