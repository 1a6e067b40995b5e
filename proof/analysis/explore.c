/* SPDX-License-Identifier: MIT */
#include "explore.h"

#include <setjmp.h>

/*
 * A table has two kinds of states: states that can be reached, and states from which a job of a
 * watched task is followed to its end. A watched job is the last pending job of its task, which
 * arrives no more. So the state alone decides how long the job can still take. The value of the
 * state is this time, computed once, and no state carries the age of a job.
 */
struct search {
	const struct taskset *set;
	enum protocol protocol;
	struct visited *visited;
	struct exploration result;
	unsigned depth;
	jmp_buf give_up;
};

#define CHAIN	    (MAX_TASKS + 1) /* watches all tasks of the chain */
#define IN_PROGRESS UINT16_MAX
#define MAX_DEPTH   20000

/* MAX_INTERVAL contains the jitter. */
_Static_assert(MAX_STEPS < 16 && MAX_INTERVAL < 16 && MAX_DURATION < 4 && MAX_PENDING < 8 &&
		       MAX_TASKS <= 4,
	       "a state has 4 * 14 bits");
_Static_assert(MAX_WORK < 16 && NO_TASK < 8, "and of the kernel's work 7, and 2 for each task");
_Static_assert(MAX_PERIOD < 16 && MAX_BUDGET < 8 && MAX_EDF_SERVERS == 2,
	       "two servers have 14 bits");
_Static_assert(MAX_HOLD < 8 && MAX_SERVERS == 3, "and what they share 16");
_Static_assert(MAX_DEADLINE < 16 && MAX_FLOORS < 4 && MAX_EDF_TASKS < 4,
	       "and under EDF 3 * 20 more");

static unsigned pack_floors(const struct task_state *task)
{
	unsigned bits = task->age;

	for (unsigned i = 0; i <= MAX_FLOORS; i++)
		bits = bits << 4 | task->floors[i];
	return bits;
}

/* Takes 7 bits, and 2 for each task. */
static uint64_t pack_work(const struct state *state, unsigned tasks)
{
	uint64_t bits = (uint64_t)state->work << 3 | state->current;

	for (unsigned task = 0; task < tasks; task++)
		bits = bits << 2 | (unsigned)state->task[task].fresh << 1 |
		       state->task[task].disturbed;
	return bits;
}

static void unpack_work(struct state *state, unsigned tasks, uint64_t bits)
{
	for (unsigned task = tasks; task-- > 0; bits >>= 2) {
		state->task[task].fresh = bits >> 1 & 1;
		state->task[task].disturbed = bits & 1;
	}
	state->current = bits & 7;
	state->work = bits >> 3 & 15;
}

/* Takes 2 bits for each task. */
static uint64_t pack_lines(const struct state *state)
{
	uint64_t bits = 0;

	for (unsigned task = 0; task < MAX_TASKS; task++)
		bits = bits << 2 | state->task[task].behind;
	return bits;
}

static void unpack_lines(struct state *state, uint64_t bits)
{
	for (unsigned task = MAX_TASKS; task-- > 0; bits >>= 2)
		state->task[task].behind = bits & 3;
}

static unsigned pack_server(const struct server_state *server)
{
	return (unsigned)server->phase << 3 | server->left;
}

static struct server_state unpack_server(uint64_t bits)
{
	return (struct server_state) { .phase = bits >> 3 & 15, .left = bits & 7 };
}

/* Takes 14 bits, which are 0 without servers. */
static unsigned pack_servers(const struct state *state)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < MAX_EDF_SERVERS; i++)
		bits = bits << 7 | pack_server(&state->server[i]);
	return bits;
}

static void unpack_servers(struct state *state, uint64_t bits)
{
	for (unsigned i = MAX_EDF_SERVERS; i-- > 0; bits >>= 7)
		state->server[i] = unpack_server(bits);
}

/* Takes 16 bits. */
static uint64_t pack_sharing(const struct state *state)
{
	uint64_t bits = pack_server(&state->server[MAX_EDF_SERVERS]);

	for (unsigned i = 0; i < MAX_SERVERS; i++)
		bits = bits << 3 | state->server[i].over;
	return bits;
}

static void unpack_sharing(struct state *state, uint64_t bits)
{
	state->server[MAX_EDF_SERVERS] = unpack_server(bits >> 3 * MAX_SERVERS);
	for (unsigned i = MAX_SERVERS; i-- > 0; bits >>= 3)
		state->server[i].over = bits & 7;
}

/* Returns the task that does not arrive any more while jobs are followed. */
static unsigned closed_for(const struct search *s, unsigned watched)
{
	return watched == CHAIN ? s->set->first : watched;
}

static bool is_pending(const struct search *s, const struct state *state, unsigned watched)
{
	if (watched != CHAIN)
		return state->task[watched].pending > 0;
	for (unsigned task = 0; task < s->set->tasks; task++)
		if (s->set->chain >> task & 1 && state->task[task].pending > 0)
			return true;
	return false;
}

static struct key pack(const struct search *s, const struct state *state, unsigned watched)
{
	bool is_edf = is_under_edf(s->protocol);
	struct key key = { .low = 1 };

	key.low = key.low << 3 | watched;
	for (unsigned task = 0; task < MAX_TASKS; task++) {
		const struct task_state *t = &state->task[task];
		bool arrives_no_more =
			task == closed_for(s, watched) && (!is_edf || t->pending == 1);

		key.low = key.low << 4 | (arrives_no_more ? 0 : t->since);
		key.low = key.low << 4 | t->step;
		key.low = key.low << 2 | t->done;
		key.low = key.low << 1 | t->waits;
		key.low = key.low << 3 | t->pending;
		if (is_edf && task < MAX_EDF_TASKS)
			key.high = key.high << 20 | pack_floors(t);
	}
	if (is_edf) /* in the bits of the fourth task */
		key.low |=
			s->set->servers > 0 ? pack_servers(state) : pack_work(state, MAX_EDF_TASKS);
	else
		key.high = pack_sharing(state) << 41 | (uint64_t)pack_servers(state) << 27 |
			   pack_lines(state) << 19 | (uint64_t)state->tick << 15 |
			   pack_work(state, MAX_TASKS);
	return key;
}

static void unpack_floors(struct task_state *task, uint64_t bits)
{
	for (unsigned i = MAX_FLOORS + 1; i-- > 0; bits >>= 4)
		task->floors[i] = bits & 15;
	task->age = bits & 15;
}

static struct state unpack(const struct search *s, struct key key)
{
	bool is_edf = is_under_edf(s->protocol);
	struct state state = { 0 };
	uint64_t low = key.low;

	for (unsigned task = MAX_TASKS; task-- > 0; key.low >>= 14) {
		state.task[task] = (struct task_state) {
			.pending = key.low & 7,
			.waits = key.low >> 3 & 1,
			.done = key.low >> 4 & 3,
			.step = key.low >> 6 & 15,
			.since = key.low >> 10 & 15,
		};
		if (is_edf && task < MAX_EDF_TASKS) {
			unpack_floors(&state.task[task], key.high);
			key.high >>= 20;
		}
	}
	if (is_edf) {
		state.task[MAX_EDF_TASKS] = (struct task_state) { 0 };
		if (s->set->servers > 0)
			unpack_servers(&state, low);
		else
			unpack_work(&state, MAX_EDF_TASKS, low);
	} else {
		unpack_servers(&state, key.high >> 27);
		unpack_sharing(&state, key.high >> 41);
		unpack_lines(&state, key.high >> 19);
		state.tick = key.high >> 15 & 15;
		unpack_work(&state, MAX_TASKS, key.high);
	}
	return state;
}

static unsigned watched_in(struct key key)
{
	return key.low >> 56 & 7;
}

static _Noreturn void give_up(struct search *s, enum verdict why)
{
	s->result.verdict = why;
	longjmp(s->give_up, 1);
}

static struct outcome step(struct search *s, struct state *state, unsigned closed,
			   struct choices *choices)
{
	struct outcome outcome = state_step(s->set, s->protocol, state, closed, choices);

	if (outcome.event == DEADLOCKED)
		give_up(s, DEADLOCK);
	if (outcome.event == OVERFLOWED)
		give_up(s, LEFT_OUT_PENDING);
	s->result.cut |= outcome.cut;
	if (outcome.event == UNFINISHED)
		give_up(s, ENDED);
	if (outcome.event == MISSED)
		give_up(s, LATE);
	return outcome;
}

static uint16_t *find(struct search *s, struct key key, bool *is_new)
{
	uint16_t *value = visited_find(s->visited, key, is_new);

	if (value == NULL)
		give_up(s, LEFT_OUT_STATES);
	return value;
}

/* Returns the longest time until no job of the watched task, or of the chain, is pending. */
static unsigned longest(struct search *s, const struct state *state, unsigned watched)
{
	struct choices choices = { 0 };
	unsigned most = 0;
	bool is_new;
	uint16_t *value = find(s, pack(s, state, watched), &is_new);

	if (!is_new && *value == IN_PROGRESS)
		give_up(s, UNBOUNDED);
	if (!is_new)
		return *value;
	if (s->depth++ == MAX_DEPTH)
		give_up(s, LEFT_OUT_STATES);
	*value = IN_PROGRESS;
	do {
		struct state next = *state;
		unsigned time = step(s, &next, closed_for(s, watched), &choices).duration;

		if (is_pending(s, &next, watched))
			time += longest(s, &next, watched);
		most = time > most ? time : most;
	} while (choices_next(&choices));
	s->depth--;
	*value = (uint16_t)most;
	return most;
}

static void note(unsigned *longest_response, unsigned response)
{
	if (*longest_response < response)
		*longest_response = response;
}

/* Adds all successors of a state that can be reached. */
static void follow(struct search *s, const struct state *state)
{
	struct choices choices = { 0 };
	bool is_new;

	do {
		struct state next = *state;
		struct outcome outcome = step(s, &next, NO_TASK, &choices);

		find(s, pack(s, &next, NO_TASK), &is_new);
		if (outcome.event == ARRIVED) {
			/* The response counts from the arrival, which may precede this release. */
			unsigned response =
				next.task[outcome.task].since + longest(s, &next, outcome.task);

			note(&s->result.response[outcome.task], response);
			if (s->set->chain != 0 && outcome.task == s->set->first)
				note(&s->result.end_to_end, longest(s, &next, CHAIN));
		}
		for (unsigned task = 0; task < s->set->tasks; task++)
			if (outcome.activated >> task & 1)
				note(&s->result.response[task], longest(s, &next, task));
	} while (choices_next(&choices));
}

struct exploration explore(const struct taskset *set, enum protocol protocol,
			   struct visited *visited)
{
	struct search s = { .set = set, .protocol = protocol, .visited = visited };
	bool is_new;

	visited_clear(visited);
	if (setjmp(s.give_up) == 0) {
		for (unsigned i = 0; i < states_initial(set); i++) {
			struct state state = state_initial(set, i);

			find(&s, pack(&s, &state, NO_TASK), &is_new);
		}
		for (unsigned i = 0; i < visited->used; i++) {
			struct key key = visited->keys[i];
			struct state state = unpack(&s, key);

			if (watched_in(key) == NO_TASK)
				follow(&s, &state);
		}
	}
	s.result.states = visited->used;
	return s.result;
}
