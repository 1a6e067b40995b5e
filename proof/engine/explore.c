/* SPDX-License-Identifier: MIT */
/*
 * The exploration that explore.py describes. Its loops handle only numbers. The system knows the
 * meaning of each number, and the effect of an instruction, an arrival and the end.
 *
 * An exploration ends early if the system stops it, if actors run in circles, or if memory runs
 * out. It then leaves any depth by longjmp(). No frame of Python is on the stack at that moment.
 */
#include "engine.h"
#include "places.h"

#include <stdlib.h>
#include <string.h>

struct node {
	int32_t place, moment;
};

/* A way while it grows: the number of the way before (or NONE), and one more arrival. */
struct trail {
	int32_t before;
	struct arrival arrival;
};

/* A node from which to go on. */
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
	struct array chain;  /* new states on the way to the end */
	struct array ending; /* the same without more arrivals */
	struct array trails; /* of the open tasks; the last is the current trail */
	struct array tasks;
	struct array firsts; /* the states after one arrival */
	int32_t trail;	     /* number of the current trail */
	int32_t *own;	     /* buffer for the own states of a place */
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

/* The node of these own states and the rest. The running actor's state leaves its place. */
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

/* The node after a follower. If another actor takes over, the old actor's new state goes to its
 * place. */
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

/* Note the boundaries up to the end for each state on the chain. The last state has `rest` + 1. */
static void measure(struct exploration *e, uint32_t rest)
{
	for (size_t i = e->chain.count; i-- > 0;)
		*known(e, nth(&e->chain, i)) += ++rest << KNOWN_BITS;
}

/* Execute single instructions until no actor runs or the state is known. The chain has the new
 * states. */
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

/* Run to the end from mark to mark, without more chosen arrivals. */
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

/* An actor arrives in this state. Return whether a new task goes on from there. */
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

/* Go on from a state, with each arrival at each boundary. */
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
