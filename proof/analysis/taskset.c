/* SPDX-License-Identifier: MIT */
#include "taskset.h"

#include <stdlib.h>
#include <string.h>

static void require(bool condition, const char *expected)
{
	if (condition)
		return;
	fprintf(stderr, "simulate: input: expected %s\n", expected);
	exit(2);
}

static unsigned number(const char *text, unsigned least, unsigned most, const char *expected)
{
	char *end = NULL;
	unsigned long value = text != NULL ? strtoul(text, &end, 10) : 0;

	require(text != NULL && end != text && *end == '\0' && value >= least && value <= most,
		expected);
	return (unsigned)value;
}

static struct step read_step(const char *text, unsigned resources)
{
	struct step step = { .kind = (enum step_kind)text[0] };

	const char *most = strchr(text, '-');

	require(strchr("rslua", text[0]) != NULL, "a step rN, rL-N, sN, lR, uR or aT");
	if (step.kind == RUN && most != NULL) {
		step.least = (unsigned)(text[1] - '0');
		step.value = number(most + 1, 2, MAX_DURATION, "a duration up to 3");
		require(most == text + 2 && step.least >= 1 && step.least < step.value,
			"a least duration below the other");
	} else if (step.kind == RUN || step.kind == SLEEP) {
		step.value = number(text + 1, 1, MAX_DURATION, "a duration from 1 to 3");
		step.least = step.value;
	} else if (step.kind == ACTIVATE) {
		step.value = number(text + 1, 0, MAX_TASKS - 1, "a task");
	} else
		step.value = number(text + 1, 0, resources - 1, "a resource of the set");
	return step;
}

/* Their sum is at most MAX_INTERVAL: see explore.c. */
static void read_interval(const struct taskset *set, struct task *task, char *word)
{
	char *jitter = word != NULL ? strchr(word, '+') : NULL;
	char *offset = word != NULL ? strchr(word, '@') : NULL;

	if (word != NULL && strcmp(word, "-") == 0)
		return;
	if (offset != NULL) {
		*offset = '\0';
		task->is_fixed = true;
		task->offset = number(offset + 1, 0, MAX_INTERVAL - 1, "an offset");
	}
	if (jitter != NULL) {
		*jitter = '\0';
		task->jitter = number(jitter + 1, 1, MAX_INTERVAL, "a jitter");
	}
	task->interval = number(word, 1, MAX_INTERVAL - task->jitter, "an interval up to 15");
	require(task->jitter == 0 || set->servers == 0, "no jitter with servers");
	require(task->jitter == 0 || !set->is_edf ||
			task->deadline + task->jitter <= task->interval,
		"a deadline up to the interval");
}

static void read_priority(struct taskset *set, struct task *task, char *word)
{
	char *threshold = word != NULL ? strchr(word, '/') : NULL;

	if (threshold != NULL)
		*threshold = '\0';
	task->priority = number(word, 1, 98, "a priority");
	task->threshold = task->priority;
	if (threshold == NULL)
		return;
	require(!set->is_across && set->servers == 0, "no thresholds on several processors");
	task->threshold = number(threshold + 1, task->priority, 98, "a threshold");
	set->has_thresholds = true;
}

static void read_task(struct taskset *set)
{
	struct task *task = &set->task[set->tasks++];
	unsigned held = 0;
	char *word;

	require(set->tasks <= (set->is_edf ? MAX_EDF_TASKS : MAX_TASKS),
		"at most 4 tasks, 3 under EDF");
	if (set->is_edf)
		task->deadline = number(strtok(NULL, " \n"), 1, MAX_DEADLINE, "a deadline");
	else
		read_priority(set, task, strtok(NULL, " \n"));
	read_interval(set, task, strtok(NULL, " \n"));
	if (set->is_across)
		task->cpu = number(strtok(NULL, " \n"), 0, MAX_CPUS - 1, "a processor up to 2");
	else if (set->servers > 0)
		task->cpu = number(strtok(NULL, " \n"), 0, set->servers - 1, "one of the servers");
	if (set->cpus <= task->cpu)
		set->cpus = task->cpu + 1;
	for (task->steps = 0; (word = strtok(NULL, " \n")) != NULL; task->steps++) {
		require(task->steps < MAX_STEPS, "at most 14 steps");
		struct step step = read_step(word, set->resources);

		task->step[task->steps] = step;
		task->held[task->steps] = held;
		if (step.kind == LOCK)
			held |= 1U << step.value;
		else if (step.kind == UNLOCK)
			held &= ~(1U << step.value);
	}
	task->held[task->steps] = held;
	require(task->steps > 0 && held == 0, "steps, all unlocked at the end");
	require(!set->is_edf || task->deadline <= 2 * task->interval,
		"a deadline up to two intervals");
}

static enum server_kind read_kind(const char *word)
{
	static const char *const kinds[] = { "idling", "polling", "deferrable", "slot" };

	for (unsigned kind = 0; word != NULL && kind < sizeof kinds / sizeof kinds[0]; kind++)
		if (strcmp(word, kinds[kind]) == 0)
			return (enum server_kind)kind;
	require(false, "idling, polling, deferrable or slot");
	return IDLING;
}

static enum policy read_policy(const char *word)
{
	static const char *const policies[] = { "none", "overrun", "overrun-payback", "skip" };

	for (unsigned each = 0; word != NULL && each < sizeof policies / sizeof policies[0]; each++)
		if (strcmp(word, policies[each]) == 0)
			return (enum policy)each;
	require(false, "none, overrun, overrun-payback or skip");
	return SHARES_NOTHING;
}

static void read_server(struct taskset *set)
{
	struct server *server = &set->server[set->servers++];

	require(set->servers <= (set->is_edf ? MAX_EDF_SERVERS : MAX_SERVERS),
		"at most 3 servers, 2 under EDF");
	require(!set->is_across, "no servers with several processors");
	server->kind = read_kind(strtok(NULL, " \n"));
	server->period = number(strtok(NULL, " \n"), 1, MAX_PERIOD, "a period up to 15");
	server->budget = number(strtok(NULL, " \n"), 1, MAX_BUDGET, "a budget up to 7");
	server->start = number(strtok(NULL, " \n"), 0, MAX_PERIOD, "the start of a slot, or 0");
	require(server->start + server->budget <= server->period, "a budget within the period");
	server->policy = read_policy(strtok(NULL, " \n"));
	server->hold = number(strtok(NULL, " \n"), 0, MAX_HOLD, "a longest hold up to 6");
	require(server->hold < server->budget, "a longest hold below the budget");
	require(server->kind != SLOT || server->policy == SHARES_NOTHING || server->policy == SKIP,
		"slots that skip");
}

static void read_costs(struct taskset *set)
{
	unsigned *const cost[] = { &set->costs.interrupt, &set->costs.activation,
				   &set->costs.switching, &set->costs.pair,
				   &set->costs.preempted, &set->costs.disturbed };

	for (unsigned i = 0; i < sizeof cost / sizeof cost[0]; i++)
		*cost[i] = number(strtok(NULL, " \n"), 0, MAX_COST, "a cost up to 2");
	set->costs.step = number(strtok(NULL, " \n"), 0, 1, "0 or 1 for each run");
	set->costs.ticks = number(strtok(NULL, " \n"), 0, set->is_edf ? 0 : MAX_INTERVAL,
				  "an interval of ticks, none under EDF");
}

static void read_resource(struct taskset *set)
{
	unsigned resource = set->resources++;

	require(resource < (set->is_edf ? MAX_FLOORS : MAX_RESOURCES), "fewer resources");
	if (set->is_edf)
		set->floor[resource] = number(strtok(NULL, " \n"), 1, MAX_DEADLINE, "a floor");
	else
		set->ceiling[resource] = number(strtok(NULL, " \n"), 1, 98, "a ceiling");
}

static void find_users(struct taskset *set)
{
	for (unsigned r = 0; r < set->resources; r++)
		for (unsigned t = 0; t < set->tasks; t++)
			for (unsigned i = 0; i < set->task[t].steps; i++)
				if (set->task[t].held[i] >> r & 1)
					set->users[r] |= 1U << t;
}

static unsigned cpus_of(const struct taskset *set, unsigned resource)
{
	unsigned cpus = 0;

	for (unsigned t = 0; t < set->tasks; t++)
		if (set->users[resource] >> t & 1)
			cpus |= 1U << set->task[t].cpu;
	return cpus;
}

static void find_shared(struct taskset *set)
{
	for (unsigned r = 0; r < set->resources; r++)
		if (set->servers > 0 && __builtin_popcount(cpus_of(set, r)) > 1)
			set->shared |= 1U << r;
	require(set->shared == 0 || !set->is_edf, "no resources of several servers under EDF");
	for (unsigned t = 0; t < set->tasks && set->servers > 0; t++) {
		const struct task *task = &set->task[t];
		struct server *server = &set->server[task->cpu];

		if (server->highest < task->priority)
			server->highest = task->priority;
		for (unsigned r = 0; r < set->resources; r++) {
			if (!(set->users[r] >> t & 1) || server->users[r] >= task->priority)
				continue;
			server->users[r] = task->priority;
			require(!(set->shared >> r & 1) || server->policy != SHARES_NOTHING,
				"a policy of each server that shares");
		}
	}
}

static bool is_simple(const struct taskset *set)
{
	const struct costs none = { 0 };

	return !set->is_edf && !set->is_across && set->servers == 0 &&
	       memcmp(&set->costs, &none, sizeof none) == 0;
}

/* Adds the tasks that a task of the chain activates as it ends. */
static void follow_chain(struct taskset *set, unsigned task)
{
	const struct step *last = &set->task[task].step[set->task[task].steps - 1];

	while (!(set->chain >> task & 1)) {
		set->chain |= 1U << task;
		if (last->kind != ACTIVATE)
			return;
		task = last->value;
		last = &set->task[task].step[set->task[task].steps - 1];
	}
}

static void find_chain(struct taskset *set)
{
	bool is_last = true;

	for (unsigned t = set->tasks; t-- > 0;) {
		const struct task *task = &set->task[t];

		require(task->interval > 0 || is_simple(set), "an interval of each task");
		require(!task->is_fixed || (is_simple(set) && task->offset < task->interval),
			"an offset below the interval, and fixed priorities on one processor");
		for (unsigned i = 0; i < task->steps; i++) {
			if (task->step[i].kind != ACTIVATE)
				continue;
			require(is_simple(set) && task->step[i].value < set->tasks,
				"an activation of a task, with fixed priorities on one processor");
			is_last = is_last && i + 1 == task->steps;
			if (task->interval > 0)
				set->first = t;
		}
	}
	if (is_last && set->task[set->first].step[set->task[set->first].steps - 1].kind == ACTIVATE)
		follow_chain(set, set->first);
}

static void lift(struct taskset *set, unsigned resource, unsigned held)
{
	for (unsigned outer = 0; outer < set->resources; outer++)
		if (held & set->global & 1U << outer && set->level[resource] < set->ceiling[outer])
			set->level[resource] = set->ceiling[outer];
}

static void find_global(struct taskset *set)
{
	for (unsigned r = 0; r < set->resources && set->is_across; r++)
		if (__builtin_popcount(cpus_of(set, r)) > 1)
			set->global |= 1U << r;
	for (unsigned t = 0; t < set->tasks; t++) {
		const struct task *task = &set->task[t];

		for (unsigned i = 0; i < task->steps; i++) {
			if (task->step[i].kind != LOCK)
				continue;
			require(!(set->global >> task->step[i].value & 1) || task->held[i] == 0,
				"no global resource locked inside a section");
			lift(set, task->step[i].value, task->held[i] | 1U << task->step[i].value);
		}
	}
}

bool taskset_read(struct taskset *set, FILE *input)
{
	char line[256];

	*set = (struct taskset) { 0 };
	while (fgets(line, sizeof line, input) != NULL) {
		const char *word = strtok(line, " \n");

		require(word != NULL, "no empty line");
		if (strcmp(word, "set") == 0 || strcmp(word, "edf") == 0 ||
		    strcmp(word, "across") == 0) {
			const char *name = strtok(NULL, " \n");

			set->is_edf = word[0] == 'e';
			set->is_across = word[0] == 'a';
			require(name != NULL && strlen(name) < MAX_NAME, "a name");
			strcpy(set->name, name);
		} else if (strcmp(word, "costs") == 0) {
			require(!set->is_across, "no costs with several processors");
			read_costs(set);
		} else if (strcmp(word, "word") == 0) {
			require(set->is_across, "a word of a set of several processors");
			set->word = number(strtok(NULL, " \n"), 1, MAX_TASKS, "users of a word");
		} else if (strcmp(word, "aligned") == 0) {
			set->is_aligned = true;
		} else if (strcmp(word, "server") == 0) {
			read_server(set);
		} else if (strcmp(word, "resource") == 0) {
			read_resource(set);
		} else if (strcmp(word, "task") == 0) {
			require(set->tasks < MAX_TASKS, "at most 4 tasks");
			read_task(set);
		} else {
			require(strcmp(word, "end") == 0,
				"set, costs, word, server, resource, task or end");
			find_users(set);
			find_global(set);
			find_shared(set);
			find_chain(set);
			return true;
		}
	}
	require(set->name[0] == '\0', "end");
	return false;
}
