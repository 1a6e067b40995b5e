/* SPDX-License-Identifier: MIT */
/*
 * The threads of the litmus tests: cores use an inbox with two places, or a single place, by
 * protocol/inbox.h, and the room of a task as kernel/cores/several does. The rules are about the
 * values that threads return. A sender wrote `data` before it sent.
 */
#include <stdint.h>

#include "inbox.h"

enum { SEEN = 1, SILENT = 3, NOTIFIES, NONE, FOUND, FAILED, DONE };
enum { ONE_PLACE = 0, TWO_PLACES = 1, FIRST_ENTRY = 7, SECOND_ENTRY = 8 };

int sends(struct plf_inbox *inbox, uint32_t *places, int *data)
{
	*data = SEEN;
	return plf_inbox_put(inbox, places, TWO_PLACES, FIRST_ENTRY) ? NOTIFIES : SILENT;
}

int sends_another(struct plf_inbox *inbox, uint32_t *places)
{
	return plf_inbox_put(inbox, places, TWO_PLACES, SECOND_ENTRY) ? NOTIFIES : SILENT;
}

int takes(struct plf_inbox *inbox, uint32_t *places, const int *data)
{
	return plf_inbox_take(inbox, places, TWO_PLACES) ? *data : NONE;
}

/* The first entry is there. */
int takes_twice(struct plf_inbox *inbox, uint32_t *places)
{
	if (!plf_inbox_take(inbox, places, TWO_PLACES))
		return FAILED;
	return plf_inbox_take(inbox, places, TWO_PLACES) ? FOUND : NONE;
}

/* The activation has run and ended. */
int takes_and_gives_room(struct plf_inbox *inbox, uint32_t *places, int *data, uint32_t *room)
{
	(void)data;
	if (!plf_inbox_take(inbox, places, ONE_PLACE))
		return FAILED;
	plf_shared_add32(room, 1);
	return DONE;
}

int sends_with_room(struct plf_inbox *inbox, uint32_t *places, int *data, uint32_t *room)
{
	uint32_t seen = 1;

	(void)data;
	if (!plf_shared_cas32(room, &seen, 0))
		return FAILED;
	if (plf_inbox_put(inbox, places, ONE_PLACE, FIRST_ENTRY))
		return DONE; /* the owner is interrupted, which this test does not show */
	return DONE;
}
