/* SPDX-License-Identifier: MIT */
/*
 * The exploration that explore.py describes. Its loops know numbers only: what a number stands for,
 * and what an instruction, an arrival or the end mean, is the system's.
 *
 * An exploration ends where the system stops it, where actors run in circles, or for want of
 * memory: from any depth, by the way out. No frame of Python's is left behind by it.
 */
#include "engine.h"
#include "places.h"

#include <stdlib.h>
#include <string.h>

struct node {
	int32_t place, moment;
};

/* A way while it grows: the way before (its number, or NONE), and one arrival more. */
struct trail {
	int32_t before;
	struct arrival arrival;
};

/* From where to go on. */
struct task {
	struct node node;
	int32_t trail;
	int arrivals;
};

struct exploration {
	struct moments *moments;
	struct places places;
	jmp_buf way_out;
	int longest, most;
	struct array chain;  /* the states that are new, on the way to the end */
	struct array ending; /* the same without more arrivals */
	struct array trails; /* of the tasks, and the last one is where it is */
	struct array tasks;
	struct array firsts; /* the states after one arrival */
	int32_t trail;	     /* to where it is */
	int32_t *own;	     /* room for a place */
	struct progress progress;
};

struct exploration *exploration_create(struct moments *moments, int actors, int longest, int most)
{
	struct exploration *e = calloc(1, sizeof *e);

	if (e == NULL)
		return NULL;
	e->moments = moments;
	e->longest = longest;
	e->most = most;
	e->places.actors = (size_t)actors;
	e->own = calloc((size_t)actors, sizeof *e->own);
	if (e->own == NULL) {
		free(e);
		return NULL;
	}
	return e;
}

void exploration_destroy(struct exploration *e)
{
	places_free(&e->places);
	free(e->chain.at);
	free(e->ending.at);
	free(e->trails.at);
	free(e->tasks.at);
	free(e->firsts.at);
	free(e->own);
	free(e);
}

static void append(struct exploration *e, struct array *nodes, struct node node)
{
	*(struct node *)add(nodes, sizeof node, e->way_out) = node;
}

static struct node nth(const struct array *nodes, size_t n)
{
	return ((struct node *)nodes->at)[n];
}

static uint32_t *known(struct exploration *e, struct node node)
{
	return known_of(&e->places, node.place, node.moment);
}

static int64_t length(struct exploration *e, struct node node)
{
	return *known(e, node) >> KNOWN_BITS;
}

/* The state of these own states and the rest: the running actor is taken out of its place. */
static struct node node_of(struct exploration *e, int32_t *own, int32_t shared, int32_t system)
{
	struct moment moment = { NONE, shared, system };
	int32_t running = facts_of(e->moments, system)->running;

	if (running != NONE) {
		moment.own = own[running];
		own[running] = NONE;
	}
	return (struct node) { place_number(&e->places, own), moment_number(e->moments, moment) };
}

/* Another takes over: the one that ran goes to its place in its new state. */
static struct node followed(struct exploration *e, struct node node, int32_t follower)
{
	int32_t running = facts_at(e->moments, node.moment)->running;
	struct moment after;

	if (follower >= 0)
		return (struct node) { node.place, follower };
	after = switched(e->moments, follower);
	memcpy(e->own, place_at(&e->places, node.place), e->places.actors * sizeof *e->own);
	if (running != NONE)
		e->own[running] = after.own;
	return node_of(e, e->own, after.shared, after.system);
}

/* The states on the chain: so many boundaries from the end of everything, the last one `rest` + 1.
 */
static void measure(struct exploration *e, uint32_t rest)
{
	for (size_t i = e->chain.count; i-- > 0;)
		*known(e, nth(&e->chain, i)) += ++rest << KNOWN_BITS;
}

/* Go on, an instruction at a time, until all is quiet or known; the chain: the states that are new.
 */
static void follow(struct exploration *e, struct node node)
{
	uint32_t *here;
	uint32_t rest;

	e->chain.count = 0;
	while (!(*(here = known(e, node)) & MET)) {
		int32_t follower;

		*here |= MET;
		e->progress.states++;
		append(e, &e->chain, node);
		if (e->chain.count > (size_t)e->longest)
			longjmp(e->way_out, LIVELOCK);
		follower = after_stride(e->moments, node.moment, STEP);
		if (follower == REST) {
			judge_rest(e->moments, node.moment);
			measure(e, 0);
			return;
		}
		node = followed(e, node, follower);
	}
	rest = *here >> KNOWN_BITS;
	if (rest == 0)
		longjmp(e->way_out, LIVELOCK);
	measure(e, rest);
}

/* No more arrivals of our choice: run to the end, a mark at a time. */
static void finish(struct exploration *e, struct node node)
{
	uint32_t *here;

	e->ending.count = 0;
	while (!(*(here = known(e, node)) & FINISHED)) {
		int32_t follower;

		if (*here & FINISHING)
			longjmp(e->way_out, CIRCLES);
		*here |= FINISHING;
		append(e, &e->ending, node);
		follower = after_stride(e->moments, node.moment, LEAP);
		if (follower == REST && facts_at(e->moments, node.moment)->count > 0)
			follower = after_arrival(e->moments, node.moment, 0);
		if (follower == REST) {
			judge_rest(e->moments, node.moment);
			break;
		}
		node = followed(e, node, follower);
	}
	for (size_t i = 0; i < e->ending.count; i++)
		*known(e, nth(&e->ending, i)) |= FINISHED;
	e->progress.states += (int64_t)e->ending.count;
}

static bool goes_on(const struct exploration *e, int32_t moment, int arrivals)
{
	return (e->most == NONE || arrivals < e->most) && facts_at(e->moments, moment)->is_open;
}

/* An actor arrives in that state; whether it is a task to go on from there. */
static bool arrive(struct exploration *e, struct node node, size_t index, int arrivals)
{
	int32_t follower = after_arrival(e->moments, node.moment, index);
	struct node woken = followed(e, node, follower);
	struct task *task;

	if (arrivals == 1)
		append(e, &e->firsts, woken);
	if (!goes_on(e, woken.moment, arrivals)) {
		finish(e, woken);
		return false;
	}
	if (*known(e, woken) & MET)
		return false;
	task = add(&e->tasks, sizeof *task, e->way_out);
	*task = (struct task) { woken, e->trail, arrivals };
	return true;
}

/* Go on from one state, with each arrival at each boundary. */
static void perform(struct exploration *e, struct task task)
{
	e->trail = task.trail;
	follow(e, task.node);
	for (size_t i = 0; i < e->chain.count; i++) {
		struct node node = nth(&e->chain, i);
		size_t count = facts_at(e->moments, node.moment)->count;

		for (size_t index = 0; index < count; index++) {
			int32_t actor = sleeper_at(e->moments, node.moment, index);

			*(struct trail *)add(&e->trails, sizeof(struct trail), e->way_out) =
				(struct trail) { task.trail, { (int32_t)i, actor } };
			e->trail = (int32_t)e->trails.count - 1;
			if (!arrive(e, node, index, task.arrivals + 1))
				e->trails.count--;
		}
	}
}

static void explore_all(struct exploration *e, const int32_t *own, int32_t shared, int32_t system)
{
	struct node root;

	memcpy(e->own, own, e->places.actors * sizeof *own);
	root = node_of(e, e->own, shared, system);
	perform(e, (struct task) { root, NONE, 0 });
	while (e->tasks.count > 0)
		perform(e, ((struct task *)e->tasks.at)[--e->tasks.count]);
	e->progress.boundaries = length(e, root);
	for (size_t i = 0; i < e->firsts.count; i++)
		e->progress.pairs += length(e, nth(&e->firsts, i));
}

enum outcome explore(struct exploration *e, const int32_t *own, int shared, int system)
{
	enum outcome outcome = (enum outcome)setjmp(e->way_out);

	if (outcome == EXPLORED) {
		e->moments->way_out = e->places.way_out = &e->way_out;
		explore_all(e, own, shared, system);
	}
	return outcome;
}

struct progress exploration_progress(const struct exploration *e)
{
	return e->progress;
}

size_t exploration_way(const struct exploration *e, struct arrival *arrivals, size_t room)
{
	size_t count = 0;

	for (int32_t at = e->trail; at != NONE; count++) {
		const struct trail *trail = (struct trail *)e->trails.at + at;

		if (count < room)
			arrivals[count] = trail->arrival;
		at = trail->before;
	}
	return count;
}
