/* SPDX-License-Identifier: MIT */
/*
 * The ready queue of 250 tasks is filled and emptied, and compared with an ordered list. At each
 * start the list has the task that must run. Tasks activate others at random, at random times. On
 * sim only, because a task and the kernel read the same clock there.
 */
#include "check.h"
#include "plf_clock.h"

enum { OTHERS = 248, QUEUE = 6, STEP_NS = 10000 };

/* pending activations at once, from few to nearly all */
static const uint32_t filled[] = { 1, 3, 10, 30, 100, 300, 1400 };
enum { SIZES = sizeof(filled) / sizeof(filled[0]), ROUNDS = 10 * SIZES };

struct activation {
	uint64_t deadline_ns;
	TaskType task;
};

static struct activation pending[OTHERS * QUEUE]; /* the next first */
static uint32_t count, accepted, limit, started, preempted;
static uint32_t activations[PLF_TASKS];
static uint64_t running_ns = UINT64_MAX; /* the deadline of the running task */

static uint32_t random_below(uint32_t bound)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return (state >> 8) % bound;
}

static void add(uint64_t deadline_ns, TaskType task)
{
	uint32_t place = count++;

	for (; place > 0 && pending[place - 1].deadline_ns > deadline_ns; place--)
		pending[place] = pending[place - 1];
	pending[place] = (struct activation) { deadline_ns, task };
}

static void take_first(void)
{
	count--;
	for (uint32_t place = 0; place < count; place++)
		pending[place] = pending[place + 1];
}

/*
 * Four tasks have the same deadline, and time advances in few steps, so equal deadlines are
 * frequent.
 */
static void activate_one(void)
{
	uint32_t index = random_below(OTHERS);
	TaskType task = (TaskType)(FIRST + 1 + index);

	plf_spend((uint64_t)random_below(3) * STEP_NS / 10);
	if (activations[task] == QUEUE) {
		REFUSED(ActivateTask(task), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
		return;
	}
	activations[task]++;
	accepted++;
	add(plf_user_now_ns() + (uint64_t)(index / 4 + 1) * STEP_NS, task);
	ALLOWED(ActivateTask(task));
	CHECK(count == 0 || pending[0].deadline_ns >= running_ns);
}

/* On average activates more tasks than end, until there were enough. */
static void run(TaskType me)
{
	uint64_t outer_ns = running_ns;

	EXPECT(me, pending[0].task);
	CHECK(pending[0].deadline_ns < outer_ns);
	preempted += outer_ns != UINT64_MAX;
	started++;
	running_ns = pending[0].deadline_ns;
	take_first();
	for (uint32_t more = random_below(4); more > 0 && accepted < limit; more--)
		activate_one();
	running_ns = outer_ns;
	activations[me]--;
	TerminateTask();
}

#include "many_tasks.h"

TASK(FIRST)
{
	uint64_t outer_ns = running_ns;

	running_ns = 0;
	while (accepted < limit / 2)
		activate_one();
	running_ns = outer_ns;
	TerminateTask();
}

TASK(LAST)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		accepted = started = 0;
		limit = 2 * filled[i % SIZES];
		ALLOWED(ActivateTask(FIRST));
		EXPECT(count, 0);
		EXPECT(started, accepted);
	}
	CHECK(preempted > 100);
	ShutdownOS(E_OK);
}
