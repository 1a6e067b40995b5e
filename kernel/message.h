/* SPDX-License-Identifier: MIT */
#ifndef PLF_MESSAGE_H
#define PLF_MESSAGE_H

/*
 * Messages between the tasks and handlers of one core: OSEK COM 3.0.3, internal communication. What
 * messages.c, generated from a description, defines.
 *
 * Numbers: first the messages that are sent, then those that are received, and of these the
 * receivers of one sent message are in a row. A receiver has its own copies, which are the kernel's
 * memory: tasks touch them by the services alone.
 */
#include "config.h"
#include "os_com_types.h"

struct plf_sent_config {
	uint16_t size; /* bytes; 0: a zero-length message */
	uint8_t first; /* of its receivers, counted from the first receiver of all */
	uint8_t receivers;
	uint8_t core; /* of those that may use it, and its receivers */
};
extern const struct plf_sent_config plf_sent_config[PLF_SENT_MESSAGES + 1];

enum plf_message_action {
	PLF_MESSAGE_IS_SILENT,
	PLF_MESSAGE_SIGNALS, /* activates a task, or sets events */
	PLF_MESSAGE_CALLS,
	PLF_MESSAGE_FLAGS,
};

struct plf_receiver_config {
	uint8_t *data;	     /* its copies, one after the other */
	const void *initial; /* unqueued: of StartCOM() */
	uint64_t events;     /* sets them; 0: activates */
	uint16_t size;
	uint8_t places; /* of its queue; 0: unqueued, with one copy */
	uint8_t core;
	uint8_t action; /* enum plf_message_action */
	uint8_t task;
	uint8_t object; /* which callback it calls, or which flag it sets */
};
extern const struct plf_receiver_config plf_receiver_config[PLF_RECEIVED_MESSAGES + 1];

#endif
