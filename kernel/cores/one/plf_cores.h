/* SPDX-License-Identifier: MIT */
#ifndef PLF_CORES_H
#define PLF_CORES_H

/* A single core: see kernel/cores.h. */

static inline unsigned plf_index_of(const struct plf_core *core)
{
	(void)core;
	return 0;
}

static inline bool plf_is_own(const struct plf_core *core, unsigned number)
{
	(void)core, (void)number;
	return true;
}

static inline unsigned plf_home_of(const struct plf_task *task)
{
	(void)task;
	return 0;
}

static inline bool plf_has(const struct plf_core *core, const struct plf_task *task)
{
	(void)core, (void)task;
	return true;
}

static inline bool plf_is_running(const struct plf_core *core, const struct plf_task *task)
{
	return core->running == task;
}

static inline void plf_set_running(struct plf_core *core, struct plf_task *task)
{
	core->running = task;
}

/* ---- Activations ------------------------------------------------------------ */

static inline bool plf_take_room(struct plf_task *task)
{
	if (task->room == 0)
		return false;
	task->room--;
	return true;
}

static inline void plf_give_room(struct plf_task *task)
{
	task->room++;
}

static inline void plf_keep_room(struct plf_task *task)
{
	(void)task;
}

static inline unsigned plf_room_of(const struct plf_task *task)
{
	return task->room;
}

static inline void plf_receive(struct plf_core *core)
{
	(void)core; /* nothing is sent */
}

static inline bool plf_hand_over(struct plf_core *core, struct plf_task *task)
{
	return plf_hand_to_server(core, task);
}

/* ---- Events ------------------------------------------------------------------ */

static inline void plf_end_events(struct plf_task *task)
{
	task->events = 0;
	task->waits_for = 0;
}

static inline enum plf_event_effect plf_add_events(struct plf_task *task, uint64_t events)
{
	if (task->room == task->most)
		return PLF_EVENT_REFUSED;
	task->events |= events;
	if (!task->is_waiting || !(task->events & task->waits_for))
		return PLF_EVENT_SET;
	task->is_waiting = false;
	return PLF_EVENT_WAKES;
}

static inline void plf_remove_events(struct plf_task *task, uint64_t events)
{
	task->events &= ~events;
}

static inline bool plf_get_events(const struct plf_task *task, uint64_t *events)
{
	*events = task->events;
	return task->room != task->most;
}

static inline bool plf_wait_for(struct plf_task *task, uint64_t events)
{
	if (task->events & events)
		return false;
	task->waits_for = events;
	task->is_waiting = true;
	return true;
}

static inline bool plf_is_waiting(const struct plf_task *task)
{
	return task->is_waiting;
}

static inline bool plf_has_waited(const struct plf_task *task)
{
	return task->waits_for != 0;
}

/* ---- The start ---------------------------------------------------------------- */

static inline void plf_prepare_core(struct plf_core *core, unsigned index)
{
	(void)core, (void)index;
}

static inline void plf_prepare_task(struct plf_task *task)
{
	task->room = task->config->activations;
}

/* Nothing to do, because plf_end_all() gives back all room at once. */
static inline void plf_drop(struct plf_task *task)
{
	(void)task;
}

static inline bool plf_end_all(struct plf_task *task)
{
	plf_end_events(task);
	task->is_waiting = false;
	plf_prepare_task(task);
	return true;
}

static inline bool plf_nothing_is_sent(void)
{
	return true;
}

static inline void plf_meet(enum plf_barrier barrier)
{
	(void)barrier;
}

/* ---- The end ------------------------------------------------------------------- */

static inline void plf_note_end(StatusType status)
{
	(void)status; /* plf_end_core() gets it, too */
}

_Noreturn static inline void plf_end_core(StatusType status)
{
	plf_port_end(status);
}

#endif
