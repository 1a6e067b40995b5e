/* SPDX-License-Identifier: MIT */
#ifndef PLF_CORES_H
#define PLF_CORES_H

/*
 * Several cores: see kernel/cores.h. The tasks of a core are ready, run and end on it as if it were
 * alone. Another core takes a room of the task or changes its events, each by one atomic operation
 * that decides the status; then it puts the task into the inbox of the task's core.
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

/* Its core writes `running`: before it gives a room back, and before the task may be woken. */
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
 * A task with events has one activation at most, and its event word says whether. So a core that is
 * refused one activation may set events of the other at once.
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

/* From here on another core may activate it again, and must not find it running. */
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

/* In inbox.c: to the inbox of its core, which is interrupted if need be. */
void plf_send(struct plf_task *task);

/* In inbox.c: all that is there. */
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

/* Its core asks. */
static inline bool plf_has_waited(const struct plf_task *task)
{
	return plf_event_seen(&task->event_word) >> PLF_EVENT_SHIFT != 0;
}

/* ---- All activations at once ---------------------------------------------------- */

/*
 * An activation that is not ready waits, or is on its way in the inbox. One that waits ends in the
 * step that finds it waiting: no other core wakes it after that.
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

/* Of all cores, none of which runs any: each task is suspended, or waits. */
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
	(void)status; /* noted */
	plf_leave_system();
}

#endif
