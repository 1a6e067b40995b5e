/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_MODEL_H
#define ANALYSIS_MODEL_H

/* A single processor with fixed priorities or EDF, or up to 3 processors with fixed priorities.
 * Time passes in whole units.
 *
 * choice.h chooses the next event, and so the order of events:
 * - A task may arrive in any instant once its interval has passed since its last arrival. A task
 *   with an offset must arrive then. Only locks and sleeps of that instant may come before.
 * - An activation by a step comes at once after the step before.
 * - With jitter, a job is released in that instant. It arrived up to the jitter earlier, as early
 *   as its interval allows, because that gives the longest response.
 * - An arrival may come before or after each lock and each sleep of its instant. It comes after a
 *   run or sleep that ends then, and after the unlocks and the end of the job that follow at once.
 * - Among equal priorities any task runs, chosen again for each unit. Under ceilings a task in a
 *   section comes first, because it is at the head of its list in every real queue.
 *
 * The jobs of a task run in the order of their arrival. A run takes its duration, or any number of
 * units of its range. Shorter runs are not explored, except under EDF: there a run may end in any
 * unit.
 *
 * The kernel's work takes the processor from all tasks, unit by unit. It is done before any task
 * runs on:
 * - an arrival or the end of a sleep: an interrupt;
 * - a task gets the processor, and did not have it last: a switch. The first time since its job
 *   could begin or since it slept, there is an activation, too;
 * - a lock: the cost of the lock and its unlock together;
 * - an unlock: `preempted` if another task waited for it or is more urgent now, else `disturbed` if
 *   a task arrived since the task began to hold anything.
 *
 * With costs of switches or activations, queues are FIFO. So among equal priorities the last task
 * on the processor goes on first, then a task that has begun. The next unlock or the end of the job
 * comes after that work. The cost `step` lengthens each run. Ticks come at any time, at least their
 * interval apart, and take a unit even from the kernel's work.
 *
 * Protocols:
 * - ceiling: from the lock on, a task runs with the highest ceiling of its resources. From the
 *   first unit of its job, or its first switch, it runs at least with its threshold.
 * - inherit: a task runs with the highest priority of the tasks that wait for its resources,
 *   through chains. An unlock hands over to the waiter of the highest such priority.
 * - none: an unlock wakes the waiter of the highest priority, as a futex does. The waiter takes the
 *   lock when it runs, unless another task did.
 *
 * Under EDF equal deadlines count as equal priorities:
 * - deadline-floor: in a section a task has the deadline of its floor, counted from the lock.
 * - lazy-floor: as deadline-floor, but counted from the first arrival inside that would preempt, as
 *   in lazy_floor.h.
 * - stack: the stack resource policy. The most urgent job begins only if its relative deadline is
 *   below the floors of all held resources. Otherwise the most urgent job that has begun runs.
 *
 * On a processor with servers, a task runs only while its server has the processor. A server gets
 * its whole budget at the begin of each period, and keeps nothing from before. Servers begin in
 * every combination of phases. The first server with budget has the processor, with these
 * conditions:
 * - idling: always;
 * - deferrable: if it has a task to run;
 * - polling: if it has a task to run; otherwise it loses its budget;
 * - slot: from its start on, for its budget.
 *
 * Each protocol, except stack and the protocols across processors, works inside each server
 * separately.
 *
 * Servers that share resources, under ceilings only (OSPERT 2010, 8):
 * - Inside a section a task has the local ceiling. With overrun this is the highest priority of its
 *   server, with skip the highest priority of the resource's users in its server.
 * - Meanwhile the server claims the most urgent server that uses the resource. A server that is not
 *   more urgent than the claimed server does not run instead.
 * - A polling server that is kept out and has no task to run may drop or keep its budget.
 * - overrun: if its budget ends inside, the server goes on until the outermost section ends, and
 *   then has no budget. A lock in the instant in which the budget ends may still come before that
 *   end. With payback, the overrun is subtracted from the next budget.
 * - skip: a task enters an outermost section only if more than HOLD is left. Otherwise it waits for
 *   the next budget at the local ceiling, and then tests again. Until it has entered, no task of
 *   its server runs unless its priority is higher. The server claims only if the task enters.
 *
 * Several processors are scheduled separately. Events of the same instant come in any order, except
 * ends of runs. Local resources have ceilings. Global resources:
 * - mpcp: inside, a task runs above all base priorities, at the resource's ceiling. The same holds
 *   inside each resource that any task locks there. A task that finds the resource held sleeps. An
 *   unlock hands over to the waiter of the highest priority.
 * - mpcp, if a resource has more users than a word holds: only waiters on the first processor with
 *   a waiter count. Processors come in the order of their first user in the list of tasks.
 * - msrp: no other task of the processor runs from the lock to the unlock. A task that finds the
 *   resource held spins. An unlock hands over to the task that came first.
 * - spin-priority: as msrp, but an unlock hands over to the task of the highest priority.
 */
#include "choice.h"
#include "taskset.h"

#include <stdint.h>

enum protocol {
	CEILING,
	INHERIT,
	NONE,
	DEADLINE_FLOOR,
	LAZY_FLOOR,
	STACK,
	MPCP,
	MSRP,
	SPIN_PRIORITY,
	PROTOCOLS
};

static inline bool is_across(enum protocol protocol)
{
	return protocol >= MPCP;
}

static inline bool is_under_edf(enum protocol protocol)
{
	return protocol >= DEADLINE_FLOOR && !is_across(protocol);
}

#define MAX_PENDING 7
#define NO_TASK	    MAX_TASKS

struct task_state {
	uint8_t since;	 /* since the last arrival; stops at the interval plus jitter */
	uint8_t pending; /* jobs that have arrived and not ended */
	uint8_t step;
	uint8_t done;	/* units of the step; for a lock: 1 after the wait for a budget */
	bool waits;	/* sleeps, or waits for the lock, by the kind of its step */
	uint8_t behind; /* MSRP only: number of tasks in front of it that spin for the lock */
	/* With costs only. */
	bool fresh;	/* has not had the processor since its job began or it slept */
	bool disturbed; /* a task arrived since it holds a resource */
	/* Under EDF only. */
	uint8_t age;			/* of the first pending job */
	uint8_t floors[MAX_FLOORS + 1]; /* see floors.c */
};

struct server_state {
	uint8_t phase; /* since its period began */
	uint8_t left;  /* of its budget; unused for a slot */
	uint8_t over;  /* with payback: its overrun in this period */
};

struct state {
	struct task_state task[MAX_TASKS];
	struct server_state server[MAX_SERVERS];
	/* With costs only. */
	uint8_t work;	 /* units left of the kernel's work */
	uint8_t current; /* the task that had the processor last, or NO_TASK */
	uint8_t tick;	 /* since the last tick; stops at the interval */
};

enum event { WENT_ON, ARRIVED, DEADLOCKED, OVERFLOWED, MISSED, UNFINISHED };

struct outcome {
	enum event event;
	unsigned task;	    /* the task that arrived */
	unsigned duration;  /* 0 or 1 */
	unsigned ended;	    /* a bit for each task that ended a job */
	unsigned activated; /* a bit for each task that another task activated */
	unsigned cut;	    /* a bit for each server; see simulate.c */
};

/* Number of initial states, and the state of each number below it. */
unsigned states_initial(const struct taskset *set);
struct state state_initial(const struct taskset *set, unsigned number);

/* Does the next event or unit of time. The task `closed` does not arrive any more; NO_TASK closes
 * none. */
struct outcome state_step(const struct taskset *set, enum protocol protocol, struct state *state,
			  unsigned closed, struct choices *choices);

#endif
