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

/* SELF runs although the more urgent X has not finished. SELF must be in a section that covers
 * X. */
static void look_up(struct actor *self, struct actor *x)
{
	int section = self->index * 1000 + self->sections;

	if (self->around < x->priority)
		violate("a lower thread runs, outside every section that covers the higher one");
	if (x->blocker != 0 && x->blocker != section)
		violate("a thread is blocked twice in one activation");
	x->blocker = section;
}

/* SELF runs, and X is less urgent or not active. No section of X may cover SELF. */
static void look_down(const struct actor *self, const struct actor *x)
{
	if (x->inside >= self->priority)
		violate("a thread runs below the ceiling of another's open section");
}

/* Whether X slept, and now waits for a lock that SELF has taken meanwhile. */
static bool waits_for(const struct actor *x, const struct actor *self)
{
	return x->slept && x->wants != 0 && (self->within & 1U << (x->wants - 1)) != 0;
}

void look(struct actor *self)
{
	for (size_t i = 0; i < ACTORS; i++) {
		struct actor *x = &actor[i];

		if (x == self || x->activity == NULL)
			continue;
		if (x->asleep || waits_for(x, self))
			continue;
		if (x->priority > self->priority && x->active)
			look_up(self, x);
		else
			look_down(self, x);
	}
}

enum { STAT_SIZE = 512, STATE = 3, PRIORITY = 18 }; /* proc(5) */

/* The field with this number, from 1, of the thread's `stat`, and the text after it. Field 2 is the
 * name. */
static const char *read_stat(const struct actor *a, char stat[STAT_SIZE], int number)
{
	ssize_t length = pread(a->stat, stat, STAT_SIZE - 1, 0);
	const char *field;

	if (length <= 0)
		return NULL;
	stat[length] = '\0';
	field = strrchr(stat, ')');
	for (int i = 2; field != NULL && i < number; i++)
		field = strchr(field + 1, ' ');
	return field == NULL ? NULL : field + 1;
}

/* The field is -1 - priority for real-time threads. */
int kernel_priority(const struct actor *a)
{
	char stat[STAT_SIZE];
	const char *field = read_stat(a, stat, PRIORITY);
	int priority = 0;

	if (field == NULL || sscanf(field, "%d", &priority) != 1)
		return -1;
	return -1 - priority;
}

bool is_runnable(const struct actor *a)
{
	char stat[STAT_SIZE];
	const char *field = read_stat(a, stat, STATE);

	return field != NULL && *field == 'R';
}

bool enter_scene(void *argument)
{
	struct actor *a = argument;

	a->active = true;
	a->wake = 1;
	raw_wake(&a->wake);
	return true;
}
