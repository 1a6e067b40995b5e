/* SPDX-License-Identifier: MIT */
/* Read the body of a task, and its arrivals. */
#include "reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool read_known_resource(struct reader *reader, size_t *found)
{
	const char *word = next_word(&reader->words);
	struct plan *plan = reader->plan;

	if (word == NULL)
		return complain(&reader->words, "the name of the resource is missing");
	for (size_t i = 0; i < plan->resource_count; i++) {
		if (strcmp(plan->resources[i].name, word) == 0) {
			*found = i;
			return statement_ends(&reader->words);
		}
	}
	return complain(&reader->words, "unknown resource %s: declare it before its users",
			quoted(word));
}

static const char *held_name(const struct reader *reader)
{
	return reader->plan->resources[reader->held[reader->depth - 1]].name;
}

static bool add_step(struct reader *reader, struct step step)
{
	struct task *task = reader->task;

	if (task->step_count == STEPS_MAX)
		return complain(&reader->words, "more than %d steps", STEPS_MAX);
	task->steps = with_room(task->steps, task->step_count, &task->step_room, sizeof(step));
	task->steps[task->step_count++] = step;
	return true;
}

static bool read_reservation(struct reader *reader)
{
	struct task *task = reader->task;

	if (is_reserved(task))
		return complain(&reader->words, "a second reservation of task %s", task->name);
	return next_number(&reader->words, "period", 1, TIME_MAX_NS, &task->period_ns) &&
	       next_number(&reader->words, "budget", 1, task->period_ns, &task->budget_ns) &&
	       statement_ends(&reader->words);
}

static bool read_key(struct words *words, uint64_t *key)
{
	const char *word = next_word(words);
	char *end;

	if (word == NULL)
		return complain(words, "the key of the range is missing");
	errno = 0;
	*key = strtoull(word, &end, 10);
	if (*word < '0' || *word > '9' || *end != '\0' || errno != 0)
		return complain(words, "key %s: expected a number below 2^64", quoted(word));
	return statement_ends(words);
}

/* Read a range after its first time: a second time, and a key. */
static bool read_range(struct words *words, const char *most, struct step *step)
{
	step->least_ns = step->time_ns;
	return to_number(words, "most", most, step->least_ns + 1, TIME_MAX_NS, &step->time_ns) &&
	       read_key(words, &step->key);
}

static bool read_run(struct reader *reader)
{
	struct step step = { .kind = STEP_RUN };
	const char *most;

	if (!next_number(&reader->words, "time", 1, TIME_MAX_NS, &step.time_ns))
		return false;
	most = next_word(&reader->words);
	if (most != NULL && !read_range(&reader->words, most, &step))
		return false;
	return add_step(reader, step);
}

static bool read_sleep(struct reader *reader)
{
	struct step step = { .kind = STEP_SLEEP };

	if (reader->depth > 0)
		return complain(&reader->words, "sleep inside a section: %s is locked",
				held_name(reader));
	return read_time(&reader->words, &step.time_ns) && add_step(reader, step);
}

static bool read_lock(struct reader *reader)
{
	struct step step = { .kind = STEP_LOCK };

	if (!read_known_resource(reader, &step.resource))
		return false;
	for (size_t i = 0; i < reader->depth; i++)
		if (reader->held[i] == step.resource)
			return complain(&reader->words, "lock %s: it is locked already",
					reader->plan->resources[step.resource].name);
	if (reader->depth == PLF_DEPTH_MAX)
		return complain(&reader->words, "more than %d resources are locked at a time",
				PLF_DEPTH_MAX);
	reader->held[reader->depth++] = step.resource;
	return add_step(reader, step);
}

static bool read_unlock(struct reader *reader)
{
	struct step step = { .kind = STEP_UNLOCK };
	const char *name;

	if (!read_known_resource(reader, &step.resource))
		return false;
	name = reader->plan->resources[step.resource].name;
	if (reader->depth == 0)
		return complain(&reader->words, "unlock %s: it is not locked", name);
	if (reader->held[reader->depth - 1] != step.resource)
		return complain(&reader->words, "unlock %s: %s was locked last", name,
				held_name(reader));
	reader->depth--;
	return add_step(reader, step);
}

static bool add_arrival(struct reader *reader, int64_t arrival)
{
	struct task *task = reader->task;

	if (task->arrival_count > 0 && arrival <= task->arrivals[task->arrival_count - 1])
		return complain(&reader->words,
				"arrival %" PRId64 ": expected more than the one before", arrival);
	if (reader->plan->arrival_count == ARRIVALS_MAX)
		return complain(&reader->words, "more than %d arrivals", ARRIVALS_MAX);
	task->arrivals = with_room(task->arrivals, task->arrival_count, &task->arrival_room,
				   sizeof(arrival));
	task->arrivals[task->arrival_count++] = arrival;
	reader->plan->arrival_count++;
	return true;
}

static bool read_arrivals(struct reader *reader)
{
	const char *word = next_word(&reader->words);
	int64_t arrival;

	if (word == NULL)
		return complain(&reader->words, "arrivals are missing: expected times");
	for (; word != NULL; word = next_word(&reader->words))
		if (!to_number(&reader->words, "arrival", word, 0, TIME_MAX_NS, &arrival) ||
		    !add_arrival(reader, arrival))
			return false;
	return true;
}

bool end_body(struct reader *reader)
{
	if (reader->depth > 0)
		return complain_at(reader->words.path, reader->task->line,
				   "task %s ends with %s locked", reader->task->name,
				   held_name(reader));
	reader->task = NULL;
	return true;
}

const struct statement body_statements[] = {
	{ "reservation", read_reservation },
	{ "run", read_run },
	{ "lock", read_lock },
	{ "unlock", read_unlock },
	{ "sleep", read_sleep },
	{ "arrivals", read_arrivals },
	{ 0 },
};
