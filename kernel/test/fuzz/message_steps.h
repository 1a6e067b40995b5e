/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FUZZ_MESSAGE_STEPS_H
#define PLF_TEST_FUZZ_MESSAGE_STEPS_H

/* The steps of services of messages. steps.h includes this file. */

#if PLF_SENT_MESSAGES
static const MessageIdentifier messages[] = { X0, X1, Y0, Y1, Y2, Y3, Y4 };

_Static_assert(sizeof(messages) == PLF_SENT_MESSAGES + PLF_RECEIVED_MESSAGES, "none is missing");

static inline struct answer answer_of_message(const struct step *step)
{
	MessageIdentifier message = OBJECT(messages, step->object);
	uint32_t data = step->code == STEP_SEND_MESSAGE ? (uint32_t)step->first : 0xee;
	StatusType status;

	switch (step->code) {
	case STEP_SEND_MESSAGE:
		return (struct answer) { SendMessage(message, WHERE(step, data)), 0, 0 };
	case STEP_RECEIVE_MESSAGE:
		status = ReceiveMessage(message, WHERE(step, data));
		return (struct answer) { status, data, 0 };
	default:
		return (struct answer) { GetMessageStatus(message), 0, 0 };
	}
}
#else
static inline struct answer answer_of_message(const struct step *step)
{
	(void)step;
	return (struct answer) { E_OK, 0, 0 };
}
#endif

#endif
