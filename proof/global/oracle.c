/* SPDX-License-Identifier: MIT */
#include "oracle.h"

#include "raw.h"

#include <plafond.h>

struct side_notes side_notes[ACTORS];

static struct side_notes *notes_of(const struct actor *a)
{
	return &side_notes[a->index];
}

static bool is_beside(const struct actor *a, const struct actor *b)
{
	return a != b && b->activity != NULL && notes_of(a)->is_away == notes_of(b)->is_away &&
	       !notes_of(a)->was_moved && !notes_of(b)->was_moved;
}

void look_around(const struct actor *self)
{
	for (int i = 0; i < ACTORS; i++)
		if (is_beside(self, &actor[i]) && actor[i].inside != 0)
			violate("a thread runs although a section of its CPU is open");
}

/* ---- Priorities -------------------------------------------------------- */

enum { STAT_SIZE = 512, PRIORITY = 18, STATE = 3 }; /* proc(5) */

/* Returns the text of a field, from the blank before it. `number` is at least 3, because field 2 is
 * in brackets. */
static const char *field_of(const struct actor *a, char stat[STAT_SIZE], int number)
{
	long length = raw_syscall(SYS_pread64, a->stat, (long)stat, STAT_SIZE - 1, 0, 0, 0);
	const char *field = stat;

	if (length <= 0)
		return NULL;
	stat[length] = '\0';
	while (*field != '\0' && *field != ')')
		field++;
	for (int i = 2; i < number && *field != '\0'; field++)
		i += *field == ' ';
	return field;
}

/* Returns the kernel's priority. The file shows -1 - priority for real-time threads. */
static int priority_now(const struct actor *a)
{
	char stat[STAT_SIZE];
	const char *field = field_of(a, stat, PRIORITY);
	int value = 0;

	if (field == NULL || *field++ != '-')
		return 0;
	for (; *field >= '0' && *field <= '9'; field++)
		value = 10 * value + *field - '0';
	return value - 1;
}

bool is_in_band(const struct actor *a)
{
	return priority_now(a) >= PLF_GLOBAL_BAND;
}

static bool sleeps(const struct actor *a)
{
	char stat[STAT_SIZE];
	const char *field = field_of(a, stat, STATE);

	return field != NULL && *field == 'S';
}

/* ---- Sections ---------------------------------------------------------- */

/* Of two sections of a CPU, the section with the higher base priority goes first. */
static void look_beside(const struct actor *self, const struct actor *x)
{
	if (x->inside == 0 || x->asleep)
		return;
	if (x->priority >= self->priority)
		violate("a section goes before a more urgent one of its CPU");
	else if (!notes_of(self)->is_in_line)
		violate("a thread that did not wait enters beside an open section");
}

void note_entered(struct actor *self, int which)
{
	struct side_notes *mine = notes_of(self);

	for (int i = 0; i < ACTORS; i++) {
		if (is_beside(self, &actor[i]))
			look_beside(self, &actor[i]);
		if (which == 0 && side_notes[i].is_in_line && actor[i].priority > self->priority)
			violate("the mutex was handed on to a less urgent thread");
	}
	if (mine->is_in_line && priority_now(self) < PLF_GLOBAL_BAND + self->priority)
		violate("a thread that waited is below its ceiling in its section");
	mine->is_in_line = false;
}

/* A thread that sleeps on its way into a section has no section open. */
static bool may_cover(const struct actor *a)
{
	return a->around != 0 && !(a->wants != 0 && a->inside == 0 && sleeps(a));
}

static bool is_covered(const struct actor *a)
{
	for (int i = 0; i < ACTORS; i++)
		if (is_beside(a, &actor[i]) && may_cover(&actor[i]))
			return true;
	return false;
}

void note_line(void)
{
	for (int i = 0; i < ACTORS; i++) {
		struct actor *a = &actor[i];

		if (a->active && a->wants == 1 && a->inside == 0 && !is_covered(a) && sleeps(a))
			notes_of(a)->is_in_line = true;
	}
}
