/* SPDX-License-Identifier: MIT */
#include "model.h"

#include "floors.h"
#include "servers.h"

#include <stdio.h>
#include <stdlib.h>

/* The context of a transition. */
struct scene {
	const struct taskset *set;
	enum protocol protocol;
	struct state *state;
	struct choices *choices;
	unsigned server; /* the server that has the processor, or NO_SERVER */
	unsigned over;	 /* servers that overrun their budgets now */
	unsigned closed; /* the task that does not arrive any more, or NO_TASK */
};

static const struct step *next_step(const struct scene *s, unsigned task)
{
	return &s->set->task[task].step[s->state->task[task].step];
}

static bool asleep(const struct scene *s, unsigned task)
{
	return s->state->task[task].waits && next_step(s, task)->kind == SLEEP;
}

/* Whether the task's next step locks a resource of several servers. */
static bool locks_shared(const struct scene *s, unsigned task)
{
	return s->state->task[task].step < s->set->task[task].steps &&
	       next_step(s, task)->kind == LOCK && s->set->shared >> next_step(s, task)->value & 1;
}

static bool skips(const struct scene *s, unsigned task)
{
	return locks_shared(s, task) &&
	       (s->state->task[task].waits || s->state->task[task].done > 0);
}

static bool waits_for(const struct scene *s, unsigned task, unsigned resource)
{
	const struct step *step = next_step(s, task);

	return s->state->task[task].waits && step->kind == LOCK && step->value == resource &&
	       !locks_shared(s, task);
}

static unsigned held(const struct scene *s, unsigned task)
{
	return s->set->task[task].held[s->state->task[task].step];
}

static unsigned holder(const struct scene *s, unsigned resource)
{
	for (unsigned task = 0; task < s->set->tasks; task++)
		if (held(s, task) >> resource & 1)
			return task;
	return NO_TASK;
}

static void lift(unsigned *priority, unsigned to)
{
	if (*priority < to)
		*priority = to;
}

static unsigned ceiling(const struct scene *s, unsigned resource, unsigned task)
{
	const struct server *server = &s->set->server[s->set->task[task].cpu];

	if (!(s->set->shared >> resource & 1))
		return s->set->ceiling[resource];
	return server->policy == SKIP ? server->users[resource] : server->highest;
}

static bool counts_switches(const struct scene *s)
{
	return s->set->costs.switching > 0 || s->set->costs.activation > 0;
}

/* Whether a job has begun, and keeps out tasks up to its threshold. */
static bool has_begun(const struct scene *s, unsigned task)
{
	const struct task_state *state = &s->state->task[task];

	if (s->set->task[task].threshold <= s->set->task[task].priority || state->pending == 0)
		return false;
	return counts_switches(s) ? !state->fresh : state->step > 0 || state->done > 0;
}

static void lift_to_ceilings(const struct scene *s, unsigned *priority)
{
	for (unsigned task = 0; task < s->set->tasks; task++) {
		if (has_begun(s, task))
			lift(&priority[task], s->set->task[task].threshold);
		for (unsigned r = 0; r < s->set->resources; r++)
			if (held(s, task) >> r & 1)
				lift(&priority[task], ceiling(s, r, task));
		if (skips(s, task))
			lift(&priority[task], ceiling(s, next_step(s, task)->value, task));
	}
}

/* A chain has fewer links than there are tasks. */
static void lift_to_waiters(const struct scene *s, unsigned *priority)
{
	for (unsigned link = 1; link < s->set->tasks; link++)
		for (unsigned task = 0; task < s->set->tasks; task++)
			if (s->state->task[task].waits && !asleep(s, task))
				lift(&priority[holder(s, next_step(s, task)->value)],
				     priority[task]);
}

#define ABOVE_ALL 1024U
#define LIFTED	  256U /* above all base priorities and ceilings */

static bool spins(const struct scene *s, unsigned task)
{
	return is_across(s->protocol) && s->protocol != MPCP && s->state->task[task].waits &&
	       next_step(s, task)->kind == LOCK;
}

/* The priority of a task that holds the resource. If tasks lock a local resource inside a global
 * resource, it ranks just above that resource, so its holder keeps these tasks out, too. */
static unsigned level_across(const struct scene *s, unsigned resource)
{
	bool is_global = s->set->global >> resource & 1;

	if (s->protocol == MPCP && s->set->level[resource] > 0)
		return LIFTED + 2 * s->set->level[resource] + !is_global;
	return is_global ? ABOVE_ALL : s->set->ceiling[resource];
}

static void lift_across(const struct scene *s, unsigned *priority)
{
	for (unsigned task = 0; task < s->set->tasks; task++) {
		for (unsigned r = 0; r < s->set->resources; r++)
			if (held(s, task) >> r & 1)
				lift(&priority[task], level_across(s, r));
		if (spins(s, task))
			lift(&priority[task], ABOVE_ALL);
	}
}

static void active_priorities(const struct scene *s, unsigned *priority)
{
	for (unsigned task = 0; task < s->set->tasks; task++)
		priority[task] = is_under_edf(s->protocol)
					 ? floors_urgency(s->set, s->protocol, s->state, task)
					 : s->set->task[task].priority;
	priority[NO_TASK] = 0;
	if (s->protocol == CEILING)
		lift_to_ceilings(s, priority);
	else if (s->protocol == INHERIT)
		lift_to_waiters(s, priority);
	else if (is_across(s->protocol))
		lift_across(s, priority);
}

/* Returns the tasks of the highest priority among `tasks`. */
static unsigned most_urgent(const unsigned *priority, unsigned tasks)
{
	unsigned highest = 0, chosen = 0;

	for (unsigned task = 0; task < MAX_TASKS; task++) {
		if (!(tasks >> task & 1) || priority[task] < highest)
			continue;
		if (priority[task] > highest)
			chosen = 0;
		highest = priority[task];
		chosen |= 1U << task;
	}
	return chosen;
}

static unsigned nth(unsigned tasks, unsigned n)
{
	while (n-- > 0)
		tasks &= tasks - 1;
	return (unsigned)__builtin_ctz(tasks);
}

static unsigned count(unsigned tasks)
{
	return (unsigned)__builtin_popcount(tasks);
}

/* Whether the protocol guarantees that no task finds a lock of its processor held. */
static bool excludes(enum protocol protocol)
{
	return protocol == CEILING || is_under_edf(protocol) || is_across(protocol);
}

static bool is_global(const struct scene *s, unsigned resource)
{
	return is_across(s->protocol) && s->set->global >> resource & 1;
}

static void add_work(struct scene *s, unsigned units, struct outcome *outcome)
{
	if (s->state->work + units > MAX_WORK)
		outcome->event = OVERFLOWED;
	else
		s->state->work = (uint8_t)(s->state->work + units);
}

static void refresh(struct scene *s, unsigned task)
{
	s->state->task[task].fresh = counts_switches(s);
}

/* Of equally urgent tasks, returns the tasks that FIFO queues let run. */
static unsigned in_order(const struct scene *s, unsigned tasks)
{
	unsigned begun = 0;

	if (s->state->current != NO_TASK && tasks >> s->state->current & 1 &&
	    !s->state->task[s->state->current].fresh)
		return 1U << s->state->current;
	for (unsigned task = 0; task < s->set->tasks; task++)
		if (tasks >> task & 1 && !s->state->task[task].fresh)
			begun |= 1U << task;
	return begun != 0 ? begun : tasks;
}

/* Returns the tasks among `tasks` that hold a resource. */
static unsigned inside(const struct scene *s, unsigned tasks)
{
	unsigned found = 0;

	for (unsigned task = 0; task < s->set->tasks; task++)
		if (tasks >> task & 1 && held(s, task) != 0)
			found |= 1U << task;
	return found;
}

/* Removes the tasks that a skipping task of their server, at least as urgent, keeps waiting. */
static unsigned above_skipping(const struct scene *s, const unsigned *priority, unsigned tasks)
{
	for (unsigned task = 0; task < s->set->tasks && s->set->shared != 0; task++)
		for (unsigned other = 0; skips(s, task) && other < s->set->tasks; other++)
			if (other != task && priority[other] <= priority[task] &&
			    s->set->task[other].cpu == s->set->task[task].cpu)
				tasks &= ~(1U << other);
	return tasks;
}

/* Returns the tasks of a processor or a server that may run, or spin, now. */
static unsigned candidates(const struct scene *s, unsigned cpu)
{
	unsigned priority[MAX_TASKS + 1];
	unsigned ready = 0, first;

	for (unsigned task = 0; task < s->set->tasks; task++)
		if (s->set->task[task].cpu == cpu && s->state->task[task].pending > 0 &&
		    (!s->state->task[task].waits || spins(s, task)))
			ready |= 1U << task;
	active_priorities(s, priority);
	first = most_urgent(priority, above_skipping(s, priority, ready));
	if (s->protocol == STACK) {
		unsigned admitted = floors_admitted(s->set, s->state, first);
		unsigned begun = floors_begun(s->set, s->state, ready);

		first = admitted ? admitted : most_urgent(priority, begun);
	}
	if (is_across(s->protocol) && inside(s, first) != 0)
		return inside(s, first);
	if (excludes(s->protocol))
		for (unsigned task = 0; task < s->set->tasks; task++)
			if (first >> task & 1 && (held(s, task) != 0 || has_begun(s, task)))
				return 1U << task;
	return counts_switches(s) ? in_order(s, first) : first;
}

static unsigned arrivals(const struct scene *s, unsigned closed)
{
	unsigned possible = 0;

	if (s->set->is_aligned && s->state->server[0].phase > 0)
		return 0;
	for (unsigned task = 0; task < s->set->tasks; task++)
		if (task != closed && s->set->task[task].interval > 0 &&
		    s->state->task[task].since >= s->set->task[task].interval)
			possible |= 1U << task;
	return possible;
}

/* Returns the tasks among the arriving tasks that must arrive in this instant. */
static unsigned fixed(const struct scene *s, unsigned arriving)
{
	unsigned found = 0;

	for (unsigned task = 0; task < s->set->tasks; task++)
		if (arriving >> task & 1 && s->set->task[task].is_fixed)
			found |= 1U << task;
	return found;
}

/* Whether another task waited for the section that the task has left, or was kept out by it. */
static bool has_delayed(const struct scene *s, unsigned task, unsigned waiters)
{
	return excludes(s->protocol) ? !(candidates(s, 0) >> task & 1) : waiters != 0;
}

static void pay_for_unlock(struct scene *s, unsigned task, unsigned waiters,
			   struct outcome *outcome)
{
	struct task_state *state = &s->state->task[task];

	if (s->set->costs.preempted > 0 && has_delayed(s, task, waiters))
		add_work(s, s->set->costs.preempted, outcome);
	else if (state->disturbed)
		add_work(s, s->set->costs.disturbed, outcome);
	if (held(s, task) == 0)
		state->disturbed = false;
}

/* Returns the waiter that came first; the others move up. */
static unsigned first_in_line(struct scene *s, unsigned waiters)
{
	unsigned first = NO_TASK;

	for (unsigned task = 0; task < s->set->tasks; task++) {
		if (!(waiters >> task & 1))
			continue;
		if (s->state->task[task].behind == 0)
			first = task;
		else
			s->state->task[task].behind--;
	}
	return first;
}

/* Returns the waiters on the first processor that has any. */
static unsigned of_first_cpu(const struct scene *s, unsigned resource, unsigned waiters)
{
	unsigned users = s->set->users[resource];

	for (unsigned left = users; left != 0; left &= left - 1) {
		unsigned cpu = s->set->task[nth(left, 0)].cpu, found = 0;

		for (unsigned task = 0; task < s->set->tasks; task++)
			if (waiters >> task & 1 && s->set->task[task].cpu == cpu)
				found |= 1U << task;
		if (found != 0)
			return found;
	}
	return waiters;
}

static unsigned next_holder(struct scene *s, unsigned resource, unsigned waiters)
{
	unsigned priority[MAX_TASKS + 1];

	if (s->protocol == MSRP)
		return first_in_line(s, waiters);
	if (s->set->word > 0 && count(s->set->users[resource]) > s->set->word)
		waiters = of_first_cpu(s, resource, waiters);
	active_priorities(s, priority);
	for (unsigned task = 0; is_across(s->protocol) && task < s->set->tasks; task++)
		priority[task] = s->set->task[task].priority;
	waiters = most_urgent(priority, waiters);
	return nth(waiters, choose(s->choices, count(waiters)));
}

static void unlock(struct scene *s, unsigned task, struct outcome *outcome)
{
	unsigned resource = next_step(s, task)->value;
	unsigned waiters = 0, next;

	s->state->task[task].step++;
	if (is_under_edf(s->protocol))
		floors_leave(s->set, s->protocol, s->state, task, resource);
	for (unsigned other = 0; other < s->set->tasks; other++)
		if (waits_for(s, other, resource))
			waiters |= 1U << other;
	pay_for_unlock(s, task, waiters, outcome);
	if (waiters == 0)
		return;
	next = next_holder(s, resource, waiters);
	s->state->task[next].waits = false;
	if (s->protocol == INHERIT || is_across(s->protocol))
		s->state->task[next].step++; /* handed over, so its lock step is done */
}

static void enter(struct scene *s, unsigned task)
{
	s->state->task[task].step++;
	s->state->task[task].done = 0;
}

/* Whether the budget has just ended, without an overrun. Then a lock may still precede the end. */
static bool has_run_out(const struct scene *s, unsigned server)
{
	return s->set->server[server].policy != SKIP && !(s->over >> server & 1) &&
	       servers_left(s->set, s->state, server) == 0;
}

static void activate(struct scene *s, unsigned task, struct outcome *outcome)
{
	if (task == s->closed)
		return;
	if (s->state->task[task].pending == MAX_PENDING) {
		outcome->event = OVERFLOWED;
		return;
	}
	s->state->task[task].pending++;
	outcome->activated |= 1U << task;
}

/* Does the unlocks, the activations and the end of the job that follow a step at once, until the
 * kernel has work. */
static void go_on(struct scene *s, unsigned task, struct outcome *outcome)
{
	struct task_state *state = &s->state->task[task];
	unsigned work = s->state->work;

	while (s->state->work == work && state->step < s->set->task[task].steps) {
		const struct step *step = next_step(s, task);

		if (step->kind == UNLOCK)
			unlock(s, task, outcome);
		else if (step->kind == ACTIVATE) {
			state->step++;
			activate(s, step->value, outcome);
		} else
			break;
	}
	if (s->state->work == work && state->step == s->set->task[task].steps) {
		state->step = 0;
		state->pending--;
		state->age = is_under_edf(s->protocol) && state->pending > 0 ? state->since : 0;
		outcome->ended |= 1U << task;
		if (state->pending > 0)
			refresh(s, task);
	} else if (locks_shared(s, task) && has_run_out(s, s->set->task[task].cpu) &&
		   choose(s->choices, 2) == 1) {
		enter(s, task);
	}
}

static void finish_step(struct scene *s, unsigned task, struct outcome *outcome)
{
	struct task_state *state = &s->state->task[task];
	bool slept = next_step(s, task)->kind == SLEEP;

	state->waits = false;
	state->done = 0;
	state->step++;
	if (slept && s->set->costs.interrupt > 0)
		add_work(s, s->set->costs.interrupt, outcome);
	if (slept)
		refresh(s, task);
	go_on(s, task, outcome);
}

static unsigned duration(const struct scene *s, unsigned task)
{
	const struct step *step = next_step(s, task);

	return step->value + (step->kind == RUN ? s->set->costs.step : 0);
}

static void spend_unit(struct scene *s, unsigned task, struct outcome *outcome)
{
	if (++s->state->task[task].done == duration(s, task))
		finish_step(s, task, outcome);
}

/* Without jitter, true. With jitter, whether the deadline and the jitter have passed since the
 * job's arrival. `since` counts from this arrival, because the next job arrives after the deadline.
 */
static bool is_behind_arrival(const struct scene *s, unsigned task)
{
	const struct task *described = &s->set->task[task];

	return described->jitter == 0 ||
	       s->state->task[task].since >= described->deadline + described->jitter;
}

/* Whether a job is pending at its deadline. */
static bool is_late(const struct scene *s)
{
	for (unsigned task = 0; task < s->set->tasks; task++)
		if (s->state->task[task].pending > 0 &&
		    s->state->task[task].age >= s->set->task[task].deadline &&
		    is_behind_arrival(s, task))
			return true;
	return false;
}

/* Returns the servers with a task in a section that several servers share. */
static unsigned servers_inside(const struct scene *s)
{
	unsigned inside = 0;

	for (unsigned task = 0; task < s->set->tasks; task++)
		if (held(s, task) & s->set->shared)
			inside |= 1U << s->set->task[task].cpu;
	return inside;
}

static void replenish(struct scene *s, struct outcome *outcome)
{
	unsigned begun = servers_replenish(s->set, s->state);

	outcome->cut |= begun & s->over & servers_inside(s);
	for (unsigned task = 0; task < s->set->tasks; task++)
		if (locks_shared(s, task) && s->state->task[task].waits &&
		    begun >> s->set->task[task].cpu & 1) {
			s->state->task[task].waits = false;
			s->state->task[task].done = 1;
		}
}

/* The time from an arrival to the latest release of the next job: the interval and its jitter. */
static unsigned latest_release(const struct task *task)
{
	return task->interval + task->jitter;
}

/* Passes a unit of time, in which `running` run. */
static void pass_time(struct scene *s, unsigned running, struct outcome *outcome)
{
	unsigned sleepers = 0;

	outcome->duration = 1;
	for (unsigned task = 0; task < s->set->tasks; task++) {
		if (asleep(s, task))
			sleepers |= 1U << task;
		if (s->state->task[task].since < latest_release(&s->set->task[task]))
			s->state->task[task].since++;
	}
	if (s->state->tick < s->set->costs.ticks)
		s->state->tick++;
	servers_charge(s->set, s->state, s->server);
	if (is_under_edf(s->protocol))
		floors_age(s->set, s->protocol, s->state);
	for (unsigned task = 0; task < s->set->tasks; task++)
		if (running >> task & 1)
			spend_unit(s, task, outcome);
	for (unsigned task = 0; task < s->set->tasks; task++)
		if (sleepers >> task & 1)
			spend_unit(s, task, outcome);
	replenish(s, outcome);
	if (is_under_edf(s->protocol) && is_late(s))
		outcome->event = MISSED;
}

/* Whether the task waits for itself, through the holders of resources. */
static bool deadlocked(const struct scene *s, unsigned task)
{
	unsigned last = task;

	for (unsigned link = 0; link < s->set->tasks; link++) {
		if (!s->state->task[last].waits || asleep(s, last))
			return false;
		last = holder(s, next_step(s, last)->value);
		if (last == task)
			return true;
		if (last == NO_TASK)
			return false;
	}
	return true; /* the circle does not contain the task */
}

/* Whether the budget may be too short for the section. */
static bool has_to_skip(const struct scene *s, unsigned task)
{
	unsigned server = s->set->task[task].cpu;

	return locks_shared(s, task) && s->set->server[server].policy == SKIP &&
	       !(servers_inside(s) >> server & 1) &&
	       servers_left(s->set, s->state, server) <= s->set->server[server].hold;
}

static void lock(struct scene *s, unsigned task, struct outcome *outcome)
{
	unsigned resource = next_step(s, task)->value;

	if (has_to_skip(s, task)) {
		s->state->task[task].waits = true;
		return;
	}
	if (holder(s, resource) == NO_TASK) {
		enter(s, task);
		add_work(s, s->set->costs.pair, outcome);
		return;
	}
	if (excludes(s->protocol) && !is_global(s, resource)) {
		fprintf(stderr, "simulate: %s: a lock was held\n", s->set->name);
		exit(2);
	}
	for (unsigned other = 0; s->protocol == MSRP && other < s->set->tasks; other++)
		if (waits_for(s, other, resource))
			s->state->task[task].behind++;
	s->state->task[task].waits = true;
	if (deadlocked(s, task))
		outcome->event = DEADLOCKED;
}

/* Whether a run ends before its longest duration. Under EDF it may end in any unit. */
static bool ends_early(const struct scene *s, unsigned task)
{
	unsigned least = next_step(s, task)->least + s->set->costs.step;
	bool may_end = is_under_edf(s->protocol) || s->state->task[task].done >= least;

	return may_end && choose(s->choices, 2) == 1;
}

static void run(struct scene *s, unsigned task, struct outcome *outcome)
{
	if (s->state->task[task].step == s->set->task[task].steps) { /* all steps are done */
		go_on(s, task, outcome);
		return;
	}
	switch (next_step(s, task)->kind) {
	case RUN:
		if (ends_early(s, task))
			finish_step(s, task, outcome);
		else
			pass_time(s, 1U << task, outcome);
		break;
	case SLEEP:
		s->state->task[task].waits = true;
		break;
	case LOCK:
		lock(s, task, outcome);
		break;
	case ACTIVATE:
	case UNLOCK: /* follows a lock, or the kernel's work, at once */
		go_on(s, task, outcome);
		break;
	}
}

/* Gives the task the processor. Returns whether the kernel has work before the task can run. */
static bool get_processor(struct scene *s, unsigned task, struct outcome *outcome)
{
	struct task_state *state = &s->state->task[task];
	unsigned units = 0;

	if (!counts_switches(s))
		return false;
	if (s->state->current != task)
		units += s->set->costs.switching;
	if (state->fresh)
		units += s->set->costs.activation;
	s->state->current = (uint8_t)task;
	state->fresh = false;
	add_work(s, units, outcome);
	return units > 0;
}

static void disturb_sections(struct scene *s)
{
	for (unsigned task = 0; task < s->set->tasks; task++)
		if (held(s, task) != 0)
			s->state->task[task].disturbed = true;
}

/* How long before its release a job arrived: as early as its interval and jitter allow. */
static uint8_t arrived_before(const struct scene *s, unsigned task)
{
	unsigned possible = s->state->task[task].since - s->set->task[task].interval;

	return (uint8_t)(possible < s->set->task[task].jitter ? possible
							      : s->set->task[task].jitter);
}

static void arrive(struct scene *s, unsigned ready, unsigned task, struct outcome *outcome)
{
	if (s->protocol == LAZY_FLOOR && ready != 0)
		floors_arrival(s->set, s->state, nth(ready, 0), task);
	outcome->task = task;
	outcome->event = s->state->task[task].pending < MAX_PENDING ? ARRIVED : OVERFLOWED;
	s->state->task[task].since = arrived_before(s, task);
	if (s->state->task[task].pending++ == 0) {
		s->state->task[task].age = 0;
		refresh(s, task);
	}
	if (s->set->costs.disturbed > 0)
		disturb_sections(s);
	add_work(s, s->set->costs.interrupt, outcome);
}

static void work(struct scene *s, struct outcome *outcome)
{
	s->state->work--;
	pass_time(s, 0, outcome);
}

static void tick(struct scene *s, struct outcome *outcome)
{
	s->state->tick = 0;
	pass_time(s, 0, outcome);
}

static void run_or_idle(struct scene *s, unsigned ready, unsigned choice, struct outcome *outcome)
{
	if (s->state->work > 0)
		work(s, outcome);
	else if (ready == 0)
		pass_time(s, 0, outcome);
	else if (!get_processor(s, nth(ready, choice), outcome))
		run(s, nth(ready, choice), outcome);
}

/* Whether the task's next step takes no time. */
static bool is_instant(const struct scene *s, unsigned task)
{
	return !spins(s, task) && (s->state->task[task].step == s->set->task[task].steps ||
				   next_step(s, task)->kind != RUN);
}

/* Whether there are tasks, and the next step of each takes no time. */
static bool are_instant(const struct scene *s, unsigned tasks)
{
	for (unsigned task = 0; task < s->set->tasks; task++)
		if (tasks >> task & 1 && !is_instant(s, task))
			return false;
	return tasks != 0;
}

/* On each processor a task runs or spins, if there is any; steps that take no time come first. */
static void run_across(struct scene *s, struct outcome *outcome)
{
	unsigned running = 0, instant = 0;

	for (unsigned cpu = 0; cpu < s->set->cpus; cpu++) {
		unsigned ready = candidates(s, cpu), task;

		if (ready == 0)
			continue;
		task = nth(ready, choose(s->choices, count(ready)));
		if (is_instant(s, task)) {
			instant |= 1U << task;
		} else if (!spins(s, task)) {
			if (ends_early(s, task)) {
				finish_step(s, task, outcome);
				return;
			}
			running |= 1U << task;
		}
	}
	if (instant != 0)
		run(s, nth(instant, choose(s->choices, count(instant))), outcome);
	else
		pass_time(s, running, outcome);
}

static struct outcome step_across(struct scene *s, unsigned arriving)
{
	struct outcome outcome = { .event = WENT_ON };
	unsigned choice = choose(s->choices, count(arriving) + 1);

	if (choice < count(arriving))
		arrive(s, 0, nth(arriving, choice), &outcome);
	else
		run_across(s, &outcome);
	return outcome;
}

/* Returns the most urgent server that uses a resource that tasks of `server` hold. */
static unsigned claim(const struct scene *s, unsigned server)
{
	unsigned first = NO_SERVER, held_by = 0;

	for (unsigned task = 0; task < s->set->tasks; task++)
		if (s->set->task[task].cpu == server)
			held_by |= held(s, task) & s->set->shared;
	for (unsigned r = 0; r < s->set->resources; r++)
		for (unsigned other = 0; held_by >> r & 1 && other < first; other++)
			if (s->set->server[other].users[r] > 0)
				first = other;
	return first;
}

/* Runs a task of the server that has the processor, or passes time without a task. */
static void serve(struct scene *s, struct outcome *outcome)
{
	unsigned ready[MAX_SERVERS + 1] = { 0 };
	struct served served = { .inside = servers_inside(s) };

	for (unsigned server = 0; server < s->set->servers; server++) {
		ready[server] = candidates(s, server);
		served.ready |= (ready[server] != 0 ? 1U : 0) << server;
		served.claims[server] = claim(s, server);
	}
	s->over = servers_over(s->set, s->state, served.inside);
	outcome->cut = servers_unfinished(s->set, s->state, served.inside);
	if (outcome->cut != 0) {
		outcome->event = UNFINISHED;
		return;
	}
	s->server = servers_choose(s->set, s->state, &served, s->choices);
	if (ready[s->server] == 0)
		pass_time(s, 0, outcome);
	else
		run(s, nth(ready[s->server], choose(s->choices, count(ready[s->server]))), outcome);
}

static struct outcome step_served(struct scene *s, unsigned arriving)
{
	struct outcome outcome = { .event = WENT_ON };
	unsigned choice = choose(s->choices, count(arriving) + 1);

	if (choice < count(arriving)) {
		unsigned task = nth(arriving, choice);

		arrive(s, candidates(s, s->set->task[task].cpu), task, &outcome);
	} else {
		serve(s, &outcome);
	}
	return outcome;
}

unsigned states_initial(const struct taskset *set)
{
	return servers_phases(set);
}

struct state state_initial(const struct taskset *set, unsigned number)
{
	struct state state = { 0 };

	for (unsigned task = 0; task < set->tasks; task++)
		state.task[task].since =
			(uint8_t)(latest_release(&set->task[task]) - set->task[task].offset);
	state.current = NO_TASK;
	state.tick = (uint8_t)set->costs.ticks;
	servers_begin(set, &state, number);
	return state;
}

struct outcome state_step(const struct taskset *set, enum protocol protocol, struct state *state,
			  unsigned closed, struct choices *choices)
{
	struct scene s = { set, protocol, state, choices, NO_SERVER, 0, closed };
	struct outcome outcome = { .event = WENT_ON };
	unsigned arriving = arrivals(&s, closed);
	if (is_across(protocol))
		return step_across(&s, arriving);
	if (set->servers > 0)
		return step_served(&s, arriving);

	unsigned ready = candidates(&s, 0);
	unsigned ways = state->work == 0 && ready != 0 ? count(ready) : 1;
	bool may_tick = set->costs.ticks > 0 && state->tick == set->costs.ticks;

	if (fixed(&s, arriving) != 0 && !are_instant(&s, ready))
		ways = 0;
	unsigned choice = choose(choices, count(arriving) + ways + may_tick);

	if (choice < count(arriving))
		arrive(&s, ready, nth(arriving, choice), &outcome);
	else if (choice < count(arriving) + ways)
		run_or_idle(&s, ready, choice - count(arriving), &outcome);
	else
		tick(&s, &outcome);
	return outcome;
}
