/* SPDX-License-Identifier: MIT */
/*
 * The resources of one core as mutexes: kernel/resource/none and kernel/resource/inherit. A task
 * that asks for a resource which another task holds is suspended. A release hands the resource
 * over to the most urgent task that waits, the first of these if they are equally urgent.
 *
 * Invariants between kernel entries:
 *  W1  a task is in the queue of a resource if and only if `request` names the resource. The task
 *      is then neither running nor ready, and another task holds the resource;
 *  W2  levels (`urgency.level`) do not rise from the head of a queue to its end, and tasks of one
 *      level stand in the order in which they came to that level;
 *  W3  the resources that a task holds are a list, from `words.top` along `below`, and the task is
 *      the holder of each of them, and of no other;
 *  W4  inherit: the level of a task that holds resources, unless it waits for an event, is the
 *      highest of its base and of the levels of all tasks in the queues of these resources. So a
 *      chain of holders that wait for each other has levels that do not fall along it;
 *      none: the level of a task is its base;
 *  W5  a task that goes on behind a request, or that was raised while it was preempted, stands in
 *      front of its level (kernel/scheduler/plf_running.h). So the stack of preempted tasks keeps
 *      its order: P3 of plf_urgency.h.
 *
 * Deadlock is possible. Then the tasks wait for ever, and the kernel goes on: each step along a
 * chain of holders raises a level, so the walk ends. In standard status a task may wait for an
 * event in a section, which is an error; it is then raised when its level is next computed.
 *
 * A request grows with the tasks in queues and on the stack of preempted tasks, a release with the
 * resources that the task holds and the tasks in front of a level.
 */
#include "global.h"
#include "plf_schedule.h"
#include "service.h"

struct mutex {
	struct plf_task *holder; /* NULL: the resource is free */
	struct plf_task *first;	 /* of the queue, along `behind` */
};

static struct mutex mutexes[PLF_RESOURCES + 1];

/* ---- The queue of a resource (W1, W2) ------------------------------------------- */

static void enqueue(struct mutex *mutex, struct plf_task *task)
{
	struct plf_task **link = &mutex->first;

	while (*link && (*link)->urgency.level >= task->urgency.level)
		link = &(*link)->behind;
	task->behind = *link;
	*link = task;
}

/* The task must be in the queue. */
static void dequeue(struct mutex *mutex, const struct plf_task *task)
{
	struct plf_task **link = &mutex->first;

	while (*link != task)
		link = &(*link)->behind;
	*link = task->behind;
}

/* ---- The resources of a task (W3, W4) ------------------------------------------- */

static uint32_t *entry_below(struct plf_core *core, uint32_t entry)
{
	return &plf_resource_words[plf_index_of(core)][entry - 1].below;
}

static void hold(struct plf_core *core, struct plf_task *task, uintptr_t resource)
{
	mutexes[resource].holder = task;
	*entry_below(core, (uint32_t)resource + 1) = task->words.top;
	task->words.top = (uint32_t)resource + 1;
}

/* The task must hold the resource. */
static void let_go(struct plf_core *core, struct plf_task *task, uintptr_t resource)
{
	uint32_t *entry = &task->words.top;

	while (*entry != resource + 1)
		entry = entry_below(core, *entry);
	*entry = *entry_below(core, *entry);
}

static uint8_t due_level(struct plf_core *core, const struct plf_task *task)
{
	uint8_t level = task->urgency.base;

	for (uint32_t entry = task->words.top; entry != 0; entry = *entry_below(core, entry)) {
		const struct plf_task *first = mutexes[entry - 1].first;

		if (first && level < first->urgency.level)
			level = first->urgency.level;
	}
	return level;
}

/* ---- In front of a level (W5) ----------------------------------------------------- */

static bool unlink_from(struct plf_task **link, const struct plf_task *task)
{
	while (*link && *link != task)
		link = &(*link)->below;
	if (!*link)
		return false;
	*link = task->below;
	return true;
}

static void mark_ready(struct plf_core *core, unsigned level)
{
	plf_queue_of(core)->ready |= plf_bit(level);
}

/* Put the task behind all tasks in front of its level, and before all new and woken tasks. */
static void go_to_front(struct plf_core *core, struct plf_task *task)
{
	unsigned level = task->urgency.level;
	struct plf_task **link = &plf_queue_of(core)->front[level];

	while (*link)
		link = &(*link)->below;
	task->below = NULL;
	*link = task;
	plf_go_on_at(task, level);
	mark_ready(core, level);
}

/* Remove the task from the front of `level`. Returns whether it was there. */
static bool leave_front(struct plf_core *core, const struct plf_task *task, unsigned level)
{
	const struct plf_ring *ring = &plf_queue_of(core)->rings[level];

	if (!unlink_from(&plf_queue_of(core)->front[level], task))
		return false;
	if (ring->head == ring->tail && !plf_has_front(core, level))
		plf_queue_of(core)->ready &= ~plf_bit(level);
	return true;
}

/*
 * Move a task that was preempted, or is in front of level `before`, to the front of its new level.
 */
static void requeue(struct plf_core *core, struct plf_task *task, unsigned before)
{
	unsigned level = task->urgency.level;

	if (!unlink_from(&plf_queue_of(core)->preempted, task) && !leave_front(core, task, before))
		return;
	plf_push_front(core, task, level);
	plf_go_on_at(task, level);
	mark_ready(core, level);
}

/* ---- Inheritance -------------------------------------------------------------------- */

/*
 * A task of `level` begins to wait for the holder. Raise the holder, and in turn each holder for
 * which it waits.
 */
static void inherit(struct plf_core *core, struct plf_task *holder, uint8_t level)
{
	while (holder->urgency.level < level) {
		uint8_t before = holder->urgency.level;
		struct mutex *mutex;

		if (!holder->request) {
			holder->urgency.level = level;
			requeue(core, holder, before);
			return;
		}
		mutex = &mutexes[holder->request - 1];
		dequeue(mutex, holder);
		holder->urgency.level = level;
		enqueue(mutex, holder);
		holder = mutex->holder;
	}
}

static void wait_for(struct plf_core *core, uintptr_t resource)
{
	struct mutex *mutex = &mutexes[resource];
	struct plf_task *task = core->running;

	plf_post_task(core);
	plf_leave_words(core, task);
	task->request = (uint8_t)(resource + 1);
	enqueue(mutex, task);
	if (PLF_INHERITS)
		inherit(core, mutex->holder, task->urgency.level);
	plf_let_go(core);
	plf_trace(PLF_TRACE_WAIT, task);
	plf_dispatch(core);
}

/* Hand the resource to the first task of the queue, which becomes ready. Preempts no task. */
static void hand_over(struct plf_core *core, uintptr_t resource)
{
	struct mutex *mutex = &mutexes[resource];
	struct plf_task *next = mutex->first;

	mutex->holder = NULL;
	if (!next)
		return;
	mutex->first = next->behind;
	next->request = 0;
	hold(core, next, resource);
	plf_trace(PLF_TRACE_WAKE, next);
	go_to_front(core, next);
}

/* ---- The services: OSEK 2.2.3, Section 13.4.3 ------------------------------------------ */

static bool is_user(const struct plf_task *task, uintptr_t resource)
{
	return task->resources >> resource & 1;
}

/*
 * E_OS_ACCESS in standard status, too, because a task that waited for itself would wait for ever.
 */
struct plf_result plf_get_mutex(struct plf_core *core, uintptr_t resource)
{
	struct plf_task *task = core->running;

	if (resource >= PLF_RESOURCES)
		return plf_status(E_OS_ID);
	if (!is_user(task, resource) || mutexes[resource].holder == task)
		return plf_status(E_OS_ACCESS);
	if (mutexes[resource].holder)
		wait_for(core, resource);
	else
		hold(core, task, resource);
	return plf_status(E_OK);
}

struct plf_result plf_release_mutex(struct plf_core *core, uintptr_t resource)
{
	struct plf_task *task = core->running;

	if (resource >= PLF_RESOURCES)
		return plf_status(E_OS_ID);
	if (mutexes[resource].holder != task)
		return plf_status(E_OS_NOFUNC);
	if (PLF_EXTENDED_STATUS && task->words.top != resource + 1)
		return plf_status(E_OS_NOFUNC);
	let_go(core, task, resource);
	hand_over(core, resource);
	if (PLF_INHERITS)
		task->urgency.level = due_level(core, task);
	return plf_status(E_OK);
}

void plf_leave_mutexes(struct plf_core *core, struct plf_task *task)
{
	while (task->words.top != 0) {
		uintptr_t resource = task->words.top - 1;

		let_go(core, task, resource);
		hand_over(core, resource);
	}
}
