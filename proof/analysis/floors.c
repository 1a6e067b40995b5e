/* SPDX-License-Identifier: MIT */
#include "floors.h"

/*
 * Contents of `floors`. Under DEADLINE_FLOOR: the time since each resource was locked. Under
 * LAZY_FLOOR: the raises that lazy_floor.h remembers, and the time since the instant from which the
 * deadline counts. That is the instant of the last raise, except if a raise replaced the last entry
 * for lack of room. Then the entry keeps the older time.
 */
enum {
	SINCE, /* time since the first raise, then the second */
	AT = SINCE + 2,
	RAISED, /* 2 bits for each raise, the last raise lowest: its resource plus 1 */
};

#define RAISES	 2
#define URGENT	 64U /* urgency of a deadline that is due now */
#define NO_FLOOR 255U

static unsigned held(const struct taskset *set, const struct state *state, unsigned task)
{
	return set->task[task].held[state->task[task].step];
}

/* Returns the resource with the least floor, plus 1; 0 if there are no resources. */
static unsigned least(const struct taskset *set, unsigned resources)
{
	unsigned found = 0;

	for (unsigned r = 0; r < set->resources; r++)
		if (resources >> r & 1 && (found == 0 || set->floor[r] < set->floor[found - 1]))
			found = r + 1;
	return found;
}

static unsigned floor_of(const struct taskset *set, unsigned resource)
{
	return resource == 0 ? NO_FLOOR : set->floor[resource - 1];
}

static unsigned own_urgency(const struct taskset *set, const struct state *state, unsigned task)
{
	return URGENT + state->task[task].age - set->task[task].deadline;
}

static void lift(unsigned *urgency, unsigned age, unsigned floor)
{
	if (*urgency < URGENT + age - floor)
		*urgency = URGENT + age - floor;
}

unsigned floors_urgency(const struct taskset *set, enum protocol protocol,
			const struct state *state, unsigned task)
{
	const uint8_t *floors = state->task[task].floors;
	unsigned urgency = own_urgency(set, state, task);

	if (protocol == DEADLINE_FLOOR)
		for (unsigned r = 0; r < set->resources; r++)
			if (held(set, state, task) >> r & 1)
				lift(&urgency, floors[r], set->floor[r]);
	if (protocol == LAZY_FLOOR && floors[RAISED] != 0)
		lift(&urgency, floors[AT], floor_of(set, floors[RAISED] & 3));
	return urgency;
}

unsigned floors_begun(const struct taskset *set, const struct state *state, unsigned ready)
{
	unsigned begun = 0;

	for (unsigned task = 0; task < set->tasks; task++)
		if (state->task[task].step > 0 || state->task[task].done > 0)
			begun |= 1U << task;
	return begun & ready;
}

unsigned floors_admitted(const struct taskset *set, const struct state *state, unsigned ready)
{
	unsigned admitted = 0, all_held = 0;

	for (unsigned task = 0; task < set->tasks; task++)
		all_held |= held(set, state, task);
	for (unsigned task = 0; task < set->tasks; task++)
		if (set->task[task].deadline < floor_of(set, least(set, all_held)))
			admitted |= 1U << task;
	return (admitted & ready) | floors_begun(set, state, ready);
}

static unsigned raises(const uint8_t *floors)
{
	return floors[RAISED] >> 2 != 0 ? 2 : floors[RAISED] != 0;
}

static void push(uint8_t *floors, unsigned since, unsigned resource)
{
	floors[SINCE + raises(floors)] = (uint8_t)since;
	floors[RAISED] = (uint8_t)(floors[RAISED] << 2 | resource);
	floors[AT] = (uint8_t)since;
}

/* Returns the time since the raise. */
static unsigned pop(uint8_t *floors)
{
	unsigned last = SINCE + raises(floors) - 1, since = floors[last];

	floors[last] = 0;
	floors[RAISED] >>= 2;
	floors[AT] = floors[RAISED] == 0 ? 0 : floors[last - 1];
	return since;
}

void floors_arrival(const struct taskset *set, struct state *state, unsigned running,
		    unsigned arriving)
{
	uint8_t *floors = state->task[running].floors;
	unsigned resource = least(set, held(set, state, running));
	unsigned urgency = floors_urgency(set, LAZY_FLOOR, state, running);
	unsigned since = 0;

	if (URGENT - set->task[arriving].deadline <= urgency || resource == 0 ||
	    URGENT - floor_of(set, resource) <= urgency)
		return;
	if (raises(floors) == RAISES)
		since = pop(floors);
	push(floors, since, resource);
	floors[AT] = 0;
}

void floors_leave(const struct taskset *set, enum protocol protocol, struct state *state,
		  unsigned task, unsigned resource)
{
	uint8_t *floors = state->task[task].floors;
	unsigned claim = least(set, held(set, state, task)), before = floors[RAISED], since = 0;

	if (protocol == DEADLINE_FLOOR)
		floors[resource] = 0;
	if (protocol != LAZY_FLOOR)
		return;
	while (floors[RAISED] != 0 && floor_of(set, floors[RAISED] & 3) < floor_of(set, claim))
		since = pop(floors);
	if (floors[RAISED] != before && claim != 0 &&
	    URGENT + since - floor_of(set, claim) > floors_urgency(set, protocol, state, task))
		push(floors, since, claim);
}

static void age_task(const struct taskset *set, enum protocol protocol, struct state *state,
		     unsigned task)
{
	uint8_t *floors = state->task[task].floors;

	state->task[task].age++;
	if (protocol == DEADLINE_FLOOR)
		for (unsigned r = 0; r < set->resources; r++)
			if (held(set, state, task) >> r & 1)
				floors[r]++;
	if (protocol != LAZY_FLOOR)
		return;
	for (unsigned raise = 0; raise < raises(floors); raise++)
		floors[SINCE + raise]++;
	if (floors[RAISED] != 0)
		floors[AT]++;
}

void floors_age(const struct taskset *set, enum protocol protocol, struct state *state)
{
	for (unsigned task = 0; task < set->tasks; task++)
		if (state->task[task].pending > 0)
			age_task(set, protocol, state, task);
}
