/* SPDX-License-Identifier: MIT */
/*
 * The threads of the litmus tests: a sender and a receiver of a queue with a single place, by
 * protocol/ioc_queue.h. A message is the content of its place. The rules are about the values that
 * threads return.
 */
#include <stdint.h>

#include "ioc_queue.h"

enum { OLD = 1, NEW = 2, NONE = 5, FULL, SENT, REPORTED, SILENT };
enum { ONE_PLACE = 0 };

static inline int send(struct plf_ioc_sent *sent, const struct plf_ioc_taken *taken,
		       uint32_t *places, uint32_t mask, uint32_t message)
{
	uint32_t place;

	if (!plf_ioc_queue_claim(sent, taken, mask + 1, mask, &place))
		return FULL;
	plf_store32(&places[place], message);
	plf_ioc_queue_publish(sent);
	return SENT;
}

/* Returns the message or NONE, and notes whether messages were lost. */
static inline int receive(struct plf_ioc_sent *sent, struct plf_ioc_taken *taken, uint32_t *places,
			  uint32_t mask, bool *has_lost)
{
	uint32_t place;
	int message;

	if (!plf_ioc_queue_first(taken, sent, mask, &place))
		return NONE;
	message = (int)plf_load32(&places[place]);
	*has_lost |= plf_ioc_queue_release(taken, sent);
	return message;
}

int sends(struct plf_ioc_sent *sent, struct plf_ioc_taken *taken, uint32_t *places)
{
	return send(sent, taken, places, ONE_PLACE, NEW);
}

int receives(struct plf_ioc_sent *sent, struct plf_ioc_taken *taken, uint32_t *places)
{
	bool has_lost = false;

	return receive(sent, taken, places, ONE_PLACE, &has_lost);
}

int drops(struct plf_ioc_sent *sent, struct plf_ioc_taken *taken, uint32_t *places)
{
	int found = (int)plf_load32(&places[0]); /* read by the receive before */

	plf_ioc_queue_empty(taken, sent);
	return found;
}

/* Loses a message, as if there were no places, and sends the next. */
int loses_and_sends(struct plf_ioc_sent *sent, struct plf_ioc_taken *taken, uint32_t *places)
{
	uint32_t place;

	if (plf_ioc_queue_claim(sent, taken, 0, ONE_PLACE, &place))
		return SENT;
	return send(sent, taken, places, ONE_PLACE, NEW);
}

int receives_report(struct plf_ioc_sent *sent, struct plf_ioc_taken *taken, uint32_t *places)
{
	bool has_lost = false;

	if (receive(sent, taken, places, ONE_PLACE, &has_lost) == NONE)
		return NONE;
	return has_lost ? REPORTED : SILENT;
}
