/* SPDX-License-Identifier: MIT */
/*
 * Messages inside a system: OSEK COM 3.0.3, conformance classes CCCA and CCCB; see message.h.
 *
 * Invariants between kernel entries:
 *  M1  a queue holds `count` messages, 0 to `places`, the oldest at `first`, below `places`;
 *  M2  `overflow` is set if and only if a message was lost since the last message was received.
 *
 * The kernel follows a task's pointer only after it has checked that the task itself may read or
 * write there. The result holds until the last byte, because no task of the core runs in between
 * and the tables never change. The kernel decides nothing by the contents of user memory.
 *
 * The time of a send grows with the receivers and the bytes of the message, both bounded in
 * os_com_types.h. The time of a receive grows with its bytes, and of StartCOM() with all receivers
 * of the core.
 */
#include "message.h"
#include "callback.h"
#include "cores.h"
#include "plf_schedule.h"
#include "port.h"
#include "task_signal.h"

static struct {
	uint8_t first, count;
	bool overflow;
} receivers[PLF_RECEIVED_MESSAGES + 1];

static struct {
	COMApplicationModeType mode;
	bool is_stopped;
} communication[PLF_CPUS];

/* ---- Checks ------------------------------------------------------------------- */

static StatusType check_core(const struct plf_core *core, unsigned owner)
{
	if (!plf_is_own(core, owner))
		return E_OS_CORE;
	return communication[plf_index_of(core)].is_stopped ? E_COM_SYS_STOPPED : E_OK;
}

static StatusType check_sent(const struct plf_core *core, uintptr_t id, bool has_data)
{
	if (id >= PLF_SENT_MESSAGES || (plf_sent_config[id].size > 0) != has_data)
		return E_COM_ID;
	return check_core(core, plf_sent_config[id].core);
}

/* For a received message with data. The `id` of a sent message wraps around to a large number. */
static StatusType check_received(const struct plf_core *core, uintptr_t id)
{
	uintptr_t index = id - PLF_SENT_MESSAGES;

	if (index >= PLF_RECEIVED_MESSAGES || plf_receiver_config[index].size == 0)
		return E_COM_ID;
	return check_core(core, plf_receiver_config[index].core);
}

static StatusType check_queue(const struct plf_core *core, uintptr_t id)
{
	StatusType status = check_received(core, id);

	if (status == E_COM_ID || plf_receiver_config[id - PLF_SENT_MESSAGES].places == 0)
		return E_COM_ID;
	return status;
}

/* Trusted code may read and write everything. */
static bool is_trusted(const struct plf_core *core)
{
	return core->place != PLF_IN_TASK;
}

static StatusType check_source(const struct plf_core *core, uintptr_t address, unsigned size)
{
	if (!address)
		return E_OS_PARAM_POINTER;
	if (!is_trusted(core) && !plf_port_may_read(core->running, address, size))
		return E_OS_ILLEGAL_ADDRESS;
	return E_OK;
}

static StatusType check_target(const struct plf_core *core, uintptr_t address, unsigned size)
{
	if (!address)
		return E_OS_PARAM_POINTER;
	if (!is_trusted(core) && !plf_port_may_write(core->running, address, size))
		return E_OS_ILLEGAL_ADDRESS;
	return E_OK;
}

/* ---- One receiver --------------------------------------------------------------- */

static void copy(uint8_t *to, const uint8_t *from, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		to[i] = from[i];
}

/* False: the queue is full. */
static bool put(unsigned index, const uint8_t *data)
{
	const struct plf_receiver_config *config = &plf_receiver_config[index];
	unsigned place = 0;

	if (config->places) {
		if (receivers[index].count == config->places) {
			receivers[index].overflow = true;
			return false;
		}
		place = receivers[index].first + receivers[index].count++;
		if (place >= config->places)
			place -= config->places;
	}
	copy(&config->data[place * config->size], data, config->size);
	return true;
}

/* The queue must not be empty. */
static StatusType take(unsigned index, uint8_t *data)
{
	const struct plf_receiver_config *config = &plf_receiver_config[index];
	bool has_lost = receivers[index].overflow;

	copy(data, &config->data[receivers[index].first * config->size], config->size);
	receivers[index].count--;
	if (++receivers[index].first == config->places)
		receivers[index].first = 0;
	receivers[index].overflow = false;
	return has_lost ? E_COM_LIMIT : E_OK;
}

static void empty(unsigned index)
{
	receivers[index].count = 0;
	receivers[index].overflow = false;
}

static void set_flag(const struct plf_receiver_config *config, FlagValue value)
{
	if (PLF_FLAGS && config->action == PLF_MESSAGE_FLAGS)
		plf_flags[config->object] = value;
}

/* Tasks that a callback makes ready run when the sender may be preempted. */
static void notify(struct plf_core *core, const struct plf_receiver_config *config)
{
	set_flag(config, COM_TRUE);
	if (PLF_CALLBACKS && config->action == PLF_MESSAGE_CALLS)
		plf_call_back(core, config->object, PLF_IN_COM_CALLBACK);
	else if (config->action == PLF_MESSAGE_SIGNALS)
		plf_signal(core, PLF_OWNERS_MATTER ? plf_application_of(core) : 0, config->task,
			   config->events);
}

/* ---- The services ------------------------------------------------------------------ */

/* A task that a handler makes ready preempts only when the handler has ended. */
static void send(struct plf_core *core, const struct plf_sent_config *sent, const uint8_t *data)
{
	for (unsigned i = 0; i < sent->receivers; i++)
		if (put(sent->first + i, data))
			notify(core, &plf_receiver_config[sent->first + i]);
	if (!is_trusted(core))
		plf_preempt_if_due(core);
}

struct plf_result plf_send_message(uintptr_t id, uintptr_t address, uintptr_t c,
				   struct plf_core *core)
{
	StatusType status = check_sent(core, id, true);

	if (status == E_OK)
		status = check_source(core, address, plf_sent_config[id].size);
	if (status == E_OK)
		send(core, &plf_sent_config[id], (const uint8_t *)address);
	return plf_status(status);
}

struct plf_result plf_send_zero_message(uintptr_t id, uintptr_t b, uintptr_t c,
					struct plf_core *core)
{
	StatusType status = check_sent(core, id, false);

	if (status == E_OK)
		send(core, &plf_sent_config[id], NULL);
	return plf_status(status);
}

struct plf_result plf_receive_message(uintptr_t id, uintptr_t address, uintptr_t c,
				      struct plf_core *core)
{
	StatusType status = check_received(core, id);
	unsigned index = (unsigned)id - PLF_SENT_MESSAGES;
	const struct plf_receiver_config *config = &plf_receiver_config[index];

	if (status == E_OK)
		status = check_target(core, address, config->size);
	if (status != E_OK)
		return plf_status(status);
	set_flag(config, COM_FALSE);
	if (config->places == 0)
		copy((uint8_t *)address, config->data, config->size);
	else if (receivers[index].count == 0)
		status = E_COM_NOMSG;
	else
		status = take(index, (uint8_t *)address);
	return plf_status(status);
}

struct plf_result plf_get_message_status(uintptr_t id, uintptr_t b, uintptr_t c,
					 struct plf_core *core)
{
	StatusType status = check_queue(core, id);
	unsigned index = (unsigned)id - PLF_SENT_MESSAGES;

	if (status != E_OK)
		return plf_status(status);
	if (receivers[index].count == 0)
		return plf_status(E_COM_NOMSG);
	return plf_status(receivers[index].overflow ? E_COM_LIMIT : E_OK);
}

/* A queue ignores the data. */
struct plf_result plf_init_message(uintptr_t id, uintptr_t address, uintptr_t c,
				   struct plf_core *core)
{
	StatusType status = check_received(core, id);
	unsigned index = (unsigned)id - PLF_SENT_MESSAGES;
	const struct plf_receiver_config *config = &plf_receiver_config[index];

	if (status != E_OK)
		return plf_status(status);
	if (config->places) {
		empty(index);
		return plf_status(E_OK);
	}
	status = check_source(core, address, config->size);
	if (status == E_OK)
		copy(config->data, (const uint8_t *)address, config->size);
	return plf_status(status);
}

static void reset(unsigned index)
{
	const struct plf_receiver_config *config = &plf_receiver_config[index];

	set_flag(config, COM_FALSE);
	if (config->places)
		empty(index);
	else
		copy(config->data, config->initial, config->size);
}

struct plf_result plf_start_com(uintptr_t mode, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	if (mode >= PLF_COM_MODES)
		return plf_status(E_COM_ID);
	for (unsigned index = 0; index < PLF_RECEIVED_MESSAGES; index++)
		if (plf_is_own(core, plf_receiver_config[index].core))
			reset(index);
	communication[plf_index_of(core)].mode = (COMApplicationModeType)mode;
	communication[plf_index_of(core)].is_stopped = false;
	return plf_status(E_OK);
}

struct plf_result plf_stop_com(uintptr_t mode, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	if (mode != COM_SHUTDOWN_IMMEDIATE)
		return plf_status(E_COM_ID);
	communication[plf_index_of(core)].is_stopped = true;
	return plf_status(E_OK);
}

struct plf_result plf_get_com_application_mode(uintptr_t a, uintptr_t b, uintptr_t c,
					       struct plf_core *core)
{
	return plf_value(communication[plf_index_of(core)].mode);
}
