/* SPDX-License-Identifier: MIT */
#include "actor.h"

#include "raw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct actor actor[ACTORS];
struct guarded guarded[LOCKS];
const char *violation;

void violate(const char *what)
{
	if (violation == NULL)
		violation = what;
}

/* Actor SELF runs although the more urgent X has not finished: only a section that covers X may. */
static void look_up(struct actor *self, struct actor *x)
{
	int section = self->index * 1000 + self->sections;

	if (self->around < x->priority)
		violate("a lower thread runs, outside every section that covers the higher one");
	if (x->blocker != 0 && x->blocker != section)
		violate("a thread is blocked twice in one activation");
	x->blocker = section;
}

/* The less urgent X sits in a section that covers SELF, who runs. */
static void look_down(const struct actor *self, const struct actor *x)
{
	if (x->inside >= self->priority)
		violate("a thread runs below the ceiling of somebody else's open section");
}

void look(struct actor *self)
{
	for (size_t i = 0; i < ACTORS; i++) {
		struct actor *x = &actor[i];

		if (x == self || x->activity == NULL)
			continue;
		if (x->asleep)
			continue;
		if (x->priority > self->priority && x->active)
			look_up(self, x);
		else
			look_down(self, x);
	}
}

int kernel_priority(const struct actor *a)
{
	char stat[512];
	ssize_t length = pread(a->stat, stat, sizeof(stat) - 1, 0);
	const char *field;
	int priority = 0;

	if (length <= 0)
		return -1;
	stat[length] = '\0';
	field = strrchr(stat, ')');
	/* Field 18, sixteen after the name: -1 - priority for real-time threads. */
	for (int i = 0; field != NULL && i < 16; i++)
		field = strchr(field + 1, ' ');
	if (field == NULL || sscanf(field, "%d", &priority) != 1)
		return -1;
	return -1 - priority;
}

bool enter_scene(void *argument)
{
	struct actor *a = argument;

	a->active = true;
	a->wake = 1;
	raw_wake(&a->wake);
	return true;
}
