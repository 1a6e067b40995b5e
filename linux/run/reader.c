/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "reader.h"

#include "../machine/say.h"

#include <stdlib.h>
#include <string.h>

const struct statement *find_statement(const struct statement *table, const char *name)
{
	for (; table->name != NULL; table++)
		if (strcmp(table->name, name) == 0)
			return table;
	return NULL;
}

bool read_time(struct words *words, int64_t *time)
{
	return next_number(words, "time", 1, TIME_MAX_NS, time) && statement_ends(words);
}

void *with_room(void *array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return array;
	*room = *room == 0 ? 8 : 2 * *room;
	array = reallocarray(array, *room, size);
	if (array == NULL)
		exit(refuse("not enough memory for the plan"));
	return array;
}
