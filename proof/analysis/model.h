/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_MODEL_H
#define ANALYSIS_MODEL_H

/* One processor with fixed priorities, or under EDF, or up to 3 with fixed priorities, in whole
 * units of time.
 *
 * What may happen, and in which order, is chosen (choice.h):
 * - A task may arrive in any instant once its interval has passed since it last did, or is released
 *   then, and arrived up to its jitter before, as soon as it could: that is the longest response,
 *   before and after every lock and every sleep in that instant. What falls into the same
 *   instant as the end of a run or of a sleep comes after it, and after the unlocks and
 *   the end of the job that follow it at once.
 * - Among equal priorities any task runs, unit by unit; under ceilings, one that is in a
 *   section first, as it is at the head of its list in every real queue.
 * Jobs of one task run in the order of their arrival. Every run takes as long as it says, and a
 * range any number of units in it; other shorter runs are not explored, but under EDF, where a run
 * may end in any unit.
 *
 * The kernel's work takes the processor, one unit after the other, from all tasks, and is
 * done before any runs on:
 * - an arrival and the end of a sleep: an interrupt;
 * - when a task gets the processor that had it not last: a switch; and for the first time since
 *   its job could begin or since it slept: an activation. With these costs, among equal
 *   priorities one that has begun goes on, and the one that had the processor first of all:
 *   queues are FIFO;
 * - after a lock, what the lock and its unlock cost together;
 * - after an unlock: preempted, if another task waited for it or is more urgent now; else
 *   disturbed, if some task arrived since the task began to hold anything.
 * The next unlock or the end of the job comes after that work. A run lasts a step longer. Ticks
 * come at least so far apart, at any time, and take a unit even from the kernel's work.
 *
 * Protocols:
 * - ceiling: a task runs with the highest ceiling of its resources, from the lock on. From the
 *   first unit of its job, or its first switch, it runs with its threshold at least.
 * - inherit: a task runs with the highest priority of those that wait for what it holds,
 *   in chains; an unlock hands over to the waiter of the highest such priority.
 * - none: an unlock wakes the waiter of the highest priority, as a futex does, which
 *   takes the lock when it runs, if no other task did.
 * Under EDF, where equal deadlines are as equal priorities:
 * - deadline-floor: in a section a task has the deadline of its floor, counted from the lock.
 * - lazy-floor: the same, counted from the first arrival inside that would preempt, as
 *   lazy_floor.h does it.
 * - stack: the stack resource policy. The most urgent job begins only if its relative deadline
 *   is below the floors of all that is held; else the most urgent one that has begun runs.
 *
 * On a processor with servers, tasks run while their server has it. A server gets its budget at the
 * begin of each of its periods, whatever was left; the servers begin in every phase. The first of
 * them with budget has the processor: an idling one always, a deferrable one if it has a task to
 * run; so has a polling one, whose budget is 0 else. A slot has it from its start on.
 * All protocols of one processor hold in each server by itself, but for the stack.
 *
 * Servers that share resources, under ceilings only (OSPERT 2010, 8):
 * - Inside a section a task has the local ceiling: with overrun the highest priority of its server,
 *   with skip that of the server's users. The server claims the most urgent server that uses the
 *   resource: while it does, one that is not above that does not run instead of it. A polling
 *   one that is kept out and has nothing to run may drop its budget or not.
 * - overrun: where its budget ends inside, the server goes on until the outermost section ends, and
 *   has nothing left then. A lock in the very instant in which the budget ends may come before
 * that. With payback the next budget is less by as much.
 * - skip: a task enters an outermost section only if more than HOLD is left, else it waits for the
 *   next budget, at the local ceiling: as long as it does, and until it has entered, none runs
 *   that is not above. Then it tests again, and only if it enters the server claims.
 *
 * Across processors, of which each is scheduled by itself; what they do in the same instant
 * comes in any order, but for the ends of runs. Resources of one processor have ceilings:
 * - mpcp: inside a global resource a task runs above all base priorities, at its ceiling; so it
 *   does inside what any task locks there. A task that finds it held sleeps. An unlock hands
 *   over to the waiter of the highest priority. Of a resource with more users than a word holds,
 *   only those of the first processor count that has a waiter, in the order in which they have
 *   users in the list of tasks.
 * - msrp: from the lock to the unlock of a global resource no other task of the processor
 *   runs. A task that finds it held spins. An unlock hands over to the one that came first.
 * - spin-priority: the same, and it hands over to the one of the highest priority.
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
	uint8_t since;	 /* the last arrival, up to the interval and its jitter */
	uint8_t pending; /* jobs that have arrived and not ended */
	uint8_t step;
	uint8_t done;	/* units of the step; of a lock: 1 after the wait for a budget */
	bool waits;	/* asleep or for the lock, by the kind of its step */
	uint8_t behind; /* only under MSRP: how many spin for the lock that came first */
	/* Only with costs. */
	bool fresh;	/* has not had the processor since its job began or it slept */
	bool disturbed; /* a task arrived since it holds something */
	/* Only under EDF. */
	uint8_t age;			/* of the first pending job */
	uint8_t floors[MAX_FLOORS + 1]; /* see floors.c */
};

struct server_state {
	uint8_t phase; /* since its period began */
	uint8_t left;  /* of its budget; not of a slot */
	uint8_t over;  /* with payback: used beyond it in this period */
};

struct state {
	struct task_state task[MAX_TASKS];
	struct server_state server[MAX_SERVERS];
	/* Only with costs. */
	uint8_t work;	 /* of the kernel, left */
	uint8_t current; /* the task that had the processor last, or NO_TASK */
	uint8_t tick;	 /* the last one, up to the interval */
};

enum event { WENT_ON, ARRIVED, DEADLOCKED, OVERFLOWED, MISSED, UNFINISHED };

struct outcome {
	enum event event;
	unsigned task;	   /* that arrived */
	unsigned duration; /* 0 or 1 */
	unsigned ended;	   /* a bit for each task of which a job ended */
	unsigned cut;	   /* and for each server of which an overrun or a section did not */
};

/* One of so many. */
unsigned states_initial(const struct taskset *set);
struct state state_initial(const struct taskset *set, unsigned number);

/* One thing happens. Task `closed` arrives no more. */
struct outcome state_step(const struct taskset *set, enum protocol protocol, struct state *state,
			  unsigned closed, struct choices *choices);

#endif
