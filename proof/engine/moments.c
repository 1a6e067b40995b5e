/* SPDX-License-Identifier: MIT */
#include "moments.h"
#include "engine.h"

#include <stdlib.h>

/* A moment, and its followers. */
struct met {
	struct moment moment;
	int32_t after[2];  /* by the stride */
	int32_t followers; /* index of its block; UNKNOWN: none yet */
	bool is_judged;
};

enum { FIRST_SIZE = 1024, FIRST_SWITCH = -3 };

static struct met *met_at(const struct moments *moments, int32_t number)
{
	return (struct met *)moments->met.at + number;
}

const struct moment *moment_at(const struct moments *moments, int32_t number)
{
	return &met_at(moments, number)->moment;
}

const struct facts *facts_at(const struct moments *moments, int32_t number)
{
	return (struct facts *)moments->facts.at + moment_at(moments, number)->system;
}

int32_t sleeper_at(const struct moments *moments, int32_t number, size_t index)
{
	return ((int32_t *)moments->sleepers.at)[facts_at(moments, number)->first + index];
}

struct moment switched(const struct moments *moments, int32_t follower)
{
	return ((struct moment *)moments->switches.at)[FIRST_SWITCH - follower];
}

/* Stop if the system has raised an exception, which is kept in Python. */
static void heed(const struct moments *moments, int answer)
{
	if (answer != 0)
		longjmp(*moments->way_out, STOPPED);
}

/* ---- Numbers ---- */

static size_t hash(struct moment moment)
{
	uint64_t key = (uint32_t)moment.own;

	key = (key ^ (uint64_t)(uint32_t)moment.shared << 32) * 0x9e3779b97f4a7c15;
	key = (key ^ key >> 29 ^ (uint32_t)moment.system) * 0xbf58476d1ce4e5b9;
	return key ^ key >> 32;
}

/* The moment's index in the table, or the index of a free entry for it. */
static size_t place_of(const struct moments *moments, struct moment moment)
{
	size_t place = hash(moment) & (moments->size - 1);

	for (int32_t number; (number = moments->numbers[place]) >= 0;
	     place = (place + 1) & (moments->size - 1)) {
		const struct moment *other = moment_at(moments, number);

		if (other->own == moment.own && other->shared == moment.shared &&
		    other->system == moment.system)
			break;
	}
	return place;
}

static void widen(struct moments *moments)
{
	int32_t *before = moments->numbers;
	size_t size = moments->size == 0 ? FIRST_SIZE : 2 * moments->size;
	int32_t *numbers = malloc(size * sizeof *numbers);

	if (numbers == NULL)
		longjmp(*moments->way_out, NO_MEMORY);
	for (size_t i = 0; i < size; i++)
		numbers[i] = UNKNOWN;
	moments->numbers = numbers;
	moments->size = size;
	for (size_t i = 0; i < moments->met.count; i++)
		numbers[place_of(moments, *moment_at(moments, (int32_t)i))] = (int32_t)i;
	free(before);
}

const struct facts *facts_of(struct moments *moments, int32_t system)
{
	const struct reported *reported = moments->system->reported;
	struct facts *facts;

	while (moments->facts.count <= (size_t)system)
		*(struct facts *)add(&moments->facts, sizeof *facts, *moments->way_out) =
			(struct facts) { .is_known = false };
	facts = (struct facts *)moments->facts.at + system;
	if (facts->is_known)
		return facts;
	heed(moments, moments->system->report(system));
	*facts = (struct facts) {
		.running = reported->running,
		.is_known = true,
		.is_open = reported->is_open != 0,
		.count = (size_t)reported->count,
		.first = moments->sleepers.count,
	};
	for (int32_t i = 0; i < reported->count; i++)
		*(int32_t *)add(&moments->sleepers, sizeof(int32_t), *moments->way_out) =
			reported->asleep[i];
	return facts;
}

int32_t moment_number(struct moments *moments, struct moment moment)
{
	size_t place;
	int32_t number;

	if (2 * moments->met.count >= moments->size)
		widen(moments);
	place = place_of(moments, moment);
	if (moments->numbers[place] >= 0)
		return moments->numbers[place];
	facts_of(moments, moment.system);
	number = (int32_t)moments->met.count;
	*(struct met *)add(&moments->met, sizeof(struct met), *moments->way_out) = (struct met) {
		.moment = moment,
		.after = { UNKNOWN, UNKNOWN },
		.followers = UNKNOWN,
	};
	return moments->numbers[place] = number;
}

/* ---- Followers ---- */

/* The moment that the system has reported, as a follower. */
static int32_t follower(struct moments *moments, int32_t running)
{
	struct moment after = *moments->system->after;

	if (running != NONE && facts_of(moments, after.system)->running == running)
		return moment_number(moments, after);
	*(struct moment *)add(&moments->switches, sizeof after, *moments->way_out) = after;
	return FIRST_SWITCH - (int32_t)(moments->switches.count - 1);
}

int32_t after_stride(struct moments *moments, int32_t number, enum stride stride)
{
	int32_t known = met_at(moments, number)->after[stride];
	int32_t running = facts_at(moments, number)->running;

	if (known == UNKNOWN) {
		struct moment m = *moment_at(moments, number);

		known = REST;
		if (running != NONE) {
			heed(moments,
			     moments->system->go(running, m.own, m.shared, m.system, (int)stride));
			known = follower(moments, running);
		}
		met_at(moments, number)->after[stride] = known;
	}
	return known;
}

/* The block of the followers after each arrival. */
static size_t block_of(struct moments *moments, int32_t number)
{
	if (met_at(moments, number)->followers == UNKNOWN) {
		met_at(moments, number)->followers = (int32_t)moments->followers.count;
		for (size_t i = 0; i < facts_at(moments, number)->count; i++)
			*(int32_t *)add(&moments->followers, sizeof(int32_t), *moments->way_out) =
				UNKNOWN;
	}
	return (size_t)met_at(moments, number)->followers;
}

int32_t after_arrival(struct moments *moments, int32_t number, size_t index)
{
	size_t place = block_of(moments, number) + index;
	int32_t known = ((int32_t *)moments->followers.at)[place];

	if (known == UNKNOWN) {
		struct moment m = *moment_at(moments, number);
		int32_t running = facts_at(moments, number)->running;

		heed(moments, moments->system->arrive(running, m.own, m.shared, m.system,
						      sleeper_at(moments, number, index)));
		known = follower(moments, running);
		((int32_t *)moments->followers.at)[place] = known;
	}
	return known;
}

void judge_rest(struct moments *moments, int32_t number)
{
	struct met *met = met_at(moments, number);

	if (met->is_judged || facts_at(moments, number)->count > 0)
		return;
	heed(moments, moments->system->judge_rest(met->moment.shared, met->moment.system));
	met->is_judged = true;
}

/* ---- For Python ---- */

struct moments *moments_create(struct system *system)
{
	struct moments *moments = calloc(1, sizeof *moments);

	if (moments != NULL)
		moments->system = system;
	return moments;
}

void moments_destroy(struct moments *moments)
{
	free(moments->met.at);
	free(moments->facts.at);
	free(moments->sleepers.at);
	free(moments->followers.at);
	free(moments->switches.at);
	free(moments->numbers);
	free(moments);
}
