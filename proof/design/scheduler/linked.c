/* SPDX-License-Identifier: MIT */

/*
 * Runs the scheduler of a model and the shipped scheduler side by side. In every reachable state
 * both must decide alike: the same task runs, and the others wait in the same order, with the same
 * urgencies. Prints the numbers of states and decisions, or the first difference (exit code 1).
 *
 * FORM is the model. Its states are searched breadth first. Each state is stored with the state of
 * the shipped scheduler on the way by which it was first reached.
 */
#include <stdint.h>

struct world;
static inline void on_entry(const struct world *w, uint64_t instant);
static void on_ready(unsigned task, uint64_t arrival);
static void on_decision(const struct world *w, uint64_t urgency);
static void on_dispatch(const struct world *w);

#define NOTE_ENTRY(w, instant)	  on_entry(w, instant)
#define NOTE_READY(task, arrival) on_ready(task, arrival)
#define NOTE_DECISION(w, urgency) on_decision(w, urgency)
#define NOTE_DISPATCH(w)	  on_dispatch(w)
#define NOTE_TICK()		  shipped_ages()
#include "shipped.h"

#include FORM

#include <stdlib.h>

int readtrail; /* Spin's variable: no way is printed */

/* ---- The two side by side ------------------------------------------------- */

static unsigned long decisions;

static _Noreturn void differ(const char *what, uint64_t model, uint64_t shipped)
{
	printf("%s: the model has %" PRIu64 ", the shipped scheduler %" PRIu64 "\n", what, model,
	       shipped);
	exit(1);
}

static void compare(const char *what, uint64_t model, uint64_t shipped)
{
	if (model != shipped)
		differ(what, model, shipped);
}

#include "urgency.h"

static void compare_running(const struct world *w, unsigned task, const char *what)
{
	uint64_t urgency = 0;
	unsigned shipped = shipped_running(&urgency);

	compare(what, task, shipped == SHIPPED_NONE ? NO_TASK : shipped);
	if (task != NO_TASK)
		compare("the urgency of a task", urgency_of(w, task), urgency);
}

/* The order in which the tasks get the processor shows the rest of the queue. */
static void compare_all(const struct world *w)
{
	static char before[SHIPPED_MOST];

	decisions++;
	compare_running(w, w->running, "the running task");
	shipped_save(before);
	for (unsigned place = 0; place < w->ready; place++) {
		shipped_dispatches();
		compare_running(w, w->queue[place], "a task in the queue");
	}
	shipped_dispatches();
	compare_running(w, NO_TASK, "behind the queue");
	shipped_restore(before);
}

static void on_ready(unsigned task, uint64_t arrival)
{
	shipped_ready(task, arrival);
}

static void on_decision(const struct world *w, uint64_t urgency)
{
	shipped_decides(urgency);
	compare_all(w);
}

static void on_dispatch(const struct world *w)
{
	shipped_dispatches();
	compare_all(w);
}

/* ---- The search --------------------------------------------------------------- */

struct state {
	struct world world;
	char shipped[SHIPPED_MOST];
};

enum { MOST_STATES = 1 << 20, PLACES = 4 * MOST_STATES };
static struct state **states;
static uint32_t *places; /* 1 + the number of the state; 0: free */
static uint32_t count;

static void *zeroed(size_t number, size_t size)
{
	void *at = calloc(number, size);

	if (at == NULL)
		abort();
	return at;
}

static uint64_t hash_of(const struct world *w)
{
	const unsigned char *byte = (const void *)w;
	uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */

	for (size_t i = 0; i < sizeof(*w); i++)
		hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
	return hash;
}

static void meet(const struct world *w)
{
	uint64_t place = hash_of(w) % PLACES;

	for (; places[place] != 0; place = (place + 1) % PLACES)
		if (memcmp(&states[places[place] - 1]->world, w, sizeof(*w)) == 0)
			return;
	if (count == MOST_STATES) {
		puts("more states than there is room for");
		exit(2);
	}
	states[count] = zeroed(1, sizeof(struct state));
	states[count]->world = *w;
	shipped_save(states[count]->shipped);
	places[place] = ++count;
}

int main(void)
{
	uint64_t urgencies[TASKS];
	struct world w;

	for (unsigned i = 0; i < TASKS; i++)
		urgencies[i] = own_urgency(i);
	states = zeroed(MOST_STATES, sizeof(*states));
	places = zeroed(PLACES, sizeof(*places));
	shipped_begin(urgencies, TASKS);
	world_begin(&w);
	meet(&w);
	for (uint32_t next = 0; next < count; next++) {
		for (unsigned action = 0; action < SPOILS; action++) {
			if (!world_may(&states[next]->world, action))
				continue;
			w = states[next]->world;
			shipped_restore(states[next]->shipped);
			world_act(&w, action);
			meet(&w);
		}
	}
	printf("%" PRIu32 " states, %lu decisions\n", count, decisions);
	return 0;
}
