/* SPDX-License-Identifier: MIT */
#include "grow.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

static void make_room(struct array *array, size_t count, size_t size, jmp_buf way_out)
{
	size_t room = array->room == 0 ? FIRST_ROOM : array->room;
	void *at;

	while (room < array->count + count)
		room *= 2;
	if (room == array->room)
		return;
	at = realloc(array->at, room * size);
	if (at == NULL)
		longjmp(way_out, NO_MEMORY);
	array->at = at;
	array->room = room;
}

void *add(struct array *array, size_t size, jmp_buf way_out)
{
	make_room(array, 1, size, way_out);
	return (char *)array->at + size * array->count++;
}

void *add_many(struct array *bytes, size_t count, jmp_buf way_out)
{
	char *end;

	make_room(bytes, count, 1, way_out);
	end = (char *)bytes->at + bytes->count;
	bytes->count += count;
	return end;
}
