/* SPDX-License-Identifier: MIT */
#ifndef PLF_CORES_H
#define PLF_CORES_H

/*
 * Several cores: see kernel/cores.h. The tasks of a core become ready, run and end there as on a
 * single core. Another core takes room for an activation, or changes the task's events. Each is a
 * single atomic operation, which decides the status. The other core then puts the task into the
 * inbox of the task's core.
 */

static inline unsigned plf_index_of(const struct plf_core *core)
{
	return core->index;
}

static inline bool plf_is_own(const struct plf_core *core, unsigned number)
{
	return core->index == number;
}

static inline unsigned plf_home_of(const struct plf_task *task)
{
	return task->core;
}

static inline bool plf_has(const struct plf_core *core, const struct plf_task *task)
{
	return task->core == core->index;
}

/*
 * Only the task's core writes `running`. It does so before it gives room back, and before the task
 * may be woken.
 */
static inline bool plf_is_running(const struct plf_core *core, const struct plf_task *task)
{
	(void)core;
	return __atomic_load_n(&plf_cores[task->core].running, __ATOMIC_ACQUIRE) == task;
}

static inline void plf_set_running(struct plf_core *core, struct plf_task *task)
{
	__atomic_store_n(&core->running, task, __ATOMIC_RELEASE);
}

/* ---- Activations ------------------------------------------------------------ */

/*
 * A task with events cannot have several activations, and its event word records the activation. So
 * a core whose activation is refused may set events of the existing activation at once.
 */
static inline bool plf_has_event_word(const struct plf_task *task)
{
	return PLF_EVENTS && task->config->events;
}

static inline bool plf_take_room(struct plf_task *task)
{
	uint32_t room;

	if (plf_has_event_word(task))
		return plf_event_begin(&task->event_word);
	room = plf_load32(&task->room);
	do {
		if (room == 0)
			return false;
	} while (!plf_shared_cas32(&task->room, &room, room - 1));
	return true;
}

static inline void plf_drop(struct plf_task *task)
{
	if (plf_has_event_word(task))
		plf_event_end(&task->event_word);
	else
		(void)plf_shared_add32(&task->room, 1);
}

/* After plf_drop() another core may activate the task again, and must not find it running. */
static inline void plf_give_room(struct plf_task *task)
{
	plf_cores[task->core].running = NULL;
	plf_drop(task);
}

static inline void plf_keep_room(struct plf_task *task)
{
	if (plf_has_event_word(task))
		plf_event_renew(&task->event_word);
}

static inline unsigned plf_room_of(const struct plf_task *task)
{
	if (plf_has_event_word(task))
		return plf_event_seen(&task->event_word) == 0;
	return plf_load_acquire32(&task->room);
}

/* In inbox.c: put the task into the inbox of its core, and interrupt that core if needed. */
void plf_send(struct plf_task *task);

/* In inbox.c: take all tasks out of the inbox. */
void plf_take_inbox(struct plf_core *core);

static inline void plf_receive(struct plf_core *core)
{
	plf_take_inbox(core);
}

static inline bool plf_hand_over(struct plf_core *core, struct plf_task *task)
{
	if (PLF_TASKS_ARE_INTERRUPTS || plf_has(core, task))
		return plf_hand_to_server(core, task);
	plf_send(task);
	return true;
}

/* ---- Events ------------------------------------------------------------------ */

static inline void plf_end_events(struct plf_task *task)
{
	(void)task;
}

static inline enum plf_event_effect plf_add_events(struct plf_task *task, uint64_t events)
{
	uint64_t seen = plf_event_set(&task->event_word, events);

	if (!(seen & PLF_EVENT_ACTIVE))
		return PLF_EVENT_REFUSED;
	return plf_event_wakes(seen, events) ? PLF_EVENT_WAKES : PLF_EVENT_SET;
}

static inline void plf_remove_events(struct plf_task *task, uint64_t events)
{
	plf_event_clear(&task->event_word, events);
}

static inline bool plf_get_events(const struct plf_task *task, uint64_t *events)
{
	uint64_t seen = plf_event_seen(&task->event_word);

	*events = seen & PLF_EVENT_ALL;
	return (seen & PLF_EVENT_ACTIVE) != 0;
}

static inline bool plf_wait_for(struct plf_task *task, uint64_t events)
{
	return plf_event_wait(&task->event_word, events);
}

static inline bool plf_is_waiting(const struct plf_task *task)
{
	return plf_event_is_waiting(plf_event_seen(&task->event_word));
}

/* Only the task's core may ask. */
static inline bool plf_has_waited(const struct plf_task *task)
{
	return plf_event_seen(&task->event_word) >> PLF_EVENT_SHIFT != 0;
}

/* ---- All activations at once ---------------------------------------------------- */

/*
 * An activation that is not ready waits, or is still in the inbox. An activation that waits ends in
 * the atomic step that finds it waiting, so no other core can wake it later.
 */
static inline bool plf_end_all(struct plf_task *task)
{
	uint64_t seen = plf_event_seen(&task->event_word);

	if (!plf_has_event_word(task))
		return plf_load_acquire32(&task->room) == task->most;
	do {
		if (seen != 0 && !plf_event_is_waiting(seen))
			return false;
	} while (!plf_shared_cas64(&task->event_word, &seen, 0));
	return true;
}

/* ---- The start ---------------------------------------------------------------- */

static inline void plf_prepare_task(struct plf_task *task)
{
	task->core = task->config->core;
	task->room = task->config->activations;
}

static inline void plf_prepare_core(struct plf_core *core, unsigned index)
{
	core->index = (uint8_t)index;
	core->place = PLF_IN_MAIN;
}

/* Whether each task of all cores is suspended or waits. Valid if no core runs a task. */
static inline bool plf_no_task_is_ready(void)
{
	for (unsigned index = 0; index < PLF_TASKS; index++)
		if (plf_room_of(&plf_tasks[index]) != plf_tasks[index].most &&
		    !plf_is_waiting(&plf_tasks[index]) && !plf_is_blocked(&plf_tasks[index]))
			return false;
	return true;
}

static inline bool plf_nothing_is_sent(void)
{
	if (PLF_TASKS_ARE_INTERRUPTS)
		return plf_no_task_is_ready();
	for (unsigned index = 0; index < PLF_CPUS; index++)
		if (!plf_inbox_is_empty(&plf_cores[index].inbox))
			return false;
	return true;
}

/* In start.c. */
void plf_wait_for_all(enum plf_barrier barrier);

static inline void plf_meet(enum plf_barrier barrier)
{
	plf_wait_for_all(barrier);
}

/* ---- The end ------------------------------------------------------------------- */

/* In start.c. */
void plf_note_status(StatusType status);
_Noreturn void plf_leave_system(void);

static inline void plf_note_end(StatusType status)
{
	plf_note_status(status);
}

_Noreturn static inline void plf_end_core(StatusType status)
{
	(void)status; /* plf_note_end() has noted it */
	plf_leave_system();
}

#endif
