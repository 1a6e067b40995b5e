/* SPDX-License-Identifier: MIT */
#ifndef PLF_MESSAGE_H
#define PLF_MESSAGE_H

/*
 * Messages between the tasks and handlers of a core: OSEK COM 3.0.3, internal communication.
 * messages.c, generated from a description, defines them.
 *
 * Sent messages have the first numbers, received messages the following ones. The receivers of a
 * sent message are contiguous. A receiver's copies are in the kernel's memory, so tasks reach them
 * only by services.
 */
#include "config.h"
#include "os_com_types.h"

struct plf_sent_config {
	uint16_t size; /* bytes; 0: a zero-length message */
	uint8_t first; /* the first of its receivers, counted from the first receiver of all */
	uint8_t receivers;
	uint8_t core; /* the core of its users and of its receivers */
};
extern const struct plf_sent_config plf_sent_config[PLF_SENT_MESSAGES + 1];

enum plf_message_action {
	PLF_MESSAGE_IS_SILENT,
	PLF_MESSAGE_SIGNALS, /* activates a task, or sets events */
	PLF_MESSAGE_CALLS,
	PLF_MESSAGE_FLAGS,
};

struct plf_receiver_config {
	uint8_t *data;	     /* its copies, in a row */
	const void *initial; /* unqueued: the value after StartCOM() */
	uint64_t events;     /* the events to set; 0: activate the task */
	uint16_t size;
	uint8_t places; /* the places of its queue; 0: unqueued, with a single copy */
	uint8_t core;
	uint8_t action; /* enum plf_message_action */
	uint8_t task;
	uint8_t object; /* index of the callback or of the flag, as `action` needs */
};
extern const struct plf_receiver_config plf_receiver_config[PLF_RECEIVED_MESSAGES + 1];

#endif
