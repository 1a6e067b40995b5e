/* SPDX-License-Identifier: MIT */

/*
 * protocol/inbox.h: core 0 takes out the entries that the other two cores put in. It takes all
 * entries, or with ONE_BY_ONE the first, as for a level of the hardware scheduler. Then it looks
 * for another entry, which makes it come again. There are fewer entries than places, and an entry
 * is free again once taken out. The counts of the ring begin just before they wrap.
 */
#include "replay.h"

#include "inbox.h"

enum half_number { PUT = 1, TAKE, LOOK };
enum { OWNER = 0 };
enum { ENTRIES = 3, PLACES = 4 }; /* PUTS: the number of puts in all */

struct words {
	struct plf_inbox inbox;
	uint32_t places[PLACES];
};

enum where { FREE, COMES, IN, GONE }; /* GONE: taken out before its sender was done */

struct facts {
	uint8_t where[ENTRIES];
	uint8_t before[ENTRIES]; /* entries that were in when this one came, and still are */
	uint8_t puts;		 /* number of puts so far */
	bool is_notified;	 /* the owner will come to look */
	bool is_taking;		 /* the owner takes out, or looks */
};

#define RULES                                                                                      \
	RULE(LOST, "an entry is in, and nothing makes the owner look")                             \
	RULE(ONCE, "an entry is taken out that is not in")                                         \
	RULE(ORDER, "an entry is taken out before one that was in when it came")                   \
	RULE(VAIN, "the owner is interrupted for an entry behind another")                         \
	RULE(QUERY, "a state is in reach that must not be")                                        \
	RULE(ENDLESS, "a half is in a loop")
#include "between_cores.h"

static const char *form_half(unsigned doing)
{
	static const char *const names[] = { "-", "put", "take", "look" };

	return names[doing];
}

static uint64_t form_run(struct world *w, const struct core *core)
{
	struct plf_inbox *inbox = &w->words.inbox;
	uint32_t *places = w->words.places;

	switch (core->doing) {
	case PUT:
		return plf_inbox_put(inbox, places, PLACES - 1, core->with + 1U);
	case TAKE:
		return plf_inbox_take(inbox, places, PLACES - 1);
	default:
		return plf_inbox_has_first(inbox, places, PLACES - 1);
	}
}

static void form_begin(struct world *w)
{
	w->words.inbox.tickets = w->words.inbox.head = UINT32_MAX - 1;
}

static unsigned entries_in(const struct world *w)
{
	unsigned in = 0;

	for (unsigned entry = 0; entry < ENTRIES; entry++)
		in |= (w->facts.where[entry] == IN ? 1U : 0U) << entry;
	return in;
}

static void ended_put(struct world *w, unsigned entry, bool must_notify)
{
	w->facts.where[entry] = w->facts.where[entry] == GONE ? FREE : IN;
	if (!must_notify)
		return;
	demand(w, w->facts.before[entry] == 0, BREAKS_VAIN);
	w->facts.is_notified = true;
	say("the owner is interrupted");
}

static void ended_take(struct world *w, uint64_t found)
{
	unsigned entry = (unsigned)found - 1;

	if (found == 0) {
		w->facts.is_taking = ONE_BY_ONE;
		if (ONE_BY_ONE)
			begin_half(w, OWNER, LOOK, 0);
		return;
	}
	demand(w,
	       found <= ENTRIES && (w->facts.where[entry] == COMES || w->facts.where[entry] == IN),
	       BREAKS_ONCE);
	if (w->broken)
		return;
	demand(w, w->facts.before[entry] == 0, BREAKS_ORDER);
	for (unsigned other = 0; other < ENTRIES; other++)
		w->facts.before[other] &= (uint8_t) ~(1U << entry);
	w->facts.where[entry] = w->facts.where[entry] == IN ? FREE : GONE;
	begin_half(w, OWNER, ONE_BY_ONE ? LOOK : TAKE, 0);
}

static void ended_look(struct world *w, bool is_there)
{
	w->facts.is_taking = false;
	if (is_there)
		w->facts.is_notified = true;
}

static void form_ended(struct world *w, unsigned core, unsigned did, unsigned with, uint64_t result)
{
	(void)core;
	if (did == PUT)
		ended_put(w, with, result != 0);
	else if (did == TAKE)
		ended_take(w, result);
	else
		ended_look(w, result != 0);
}

/* ---- Possible events -------------------------------------------------------------- */

/* The owner's interrupt comes; all is done, and starts again; a core puts an entry. */
enum { COMES_TO_SEE = FIRST_CHOICE, ANEW, PUTTING, CHOICES = PUTTING + 2 * ENTRIES };

static bool is_over_for_now(const struct world *w)
{
	for (unsigned core = 0; core < CORES; core++)
		if (w->core[core].doing != IDLE)
			return false;
	return w->facts.puts == PUTS && !w->facts.is_notified;
}

static bool form_may(const struct world *w, unsigned choice)
{
	unsigned place = choice - PUTTING;

	if (choice == COMES_TO_SEE)
		return w->facts.is_notified && !w->facts.is_taking;
	if (choice == ANEW)
		return is_over_for_now(w);
	if (choice >= CHOICES || w->facts.puts == PUTS)
		return false;
	return w->core[1 + place / ENTRIES].doing == IDLE &&
	       w->facts.where[place % ENTRIES] == FREE;
}

static void form_act(struct world *w, unsigned choice)
{
	unsigned place = choice - PUTTING, entry = place % ENTRIES;

	if (choice == COMES_TO_SEE) {
		w->facts.is_notified = false;
		w->facts.is_taking = true;
		begin_half(w, OWNER, TAKE, 0);
		return;
	}
	if (choice == ANEW) {
		world_begin(w);
		return;
	}
	w->facts.puts++;
	w->facts.before[entry] = (uint8_t)entries_in(w);
	w->facts.where[entry] = COMES;
	begin_half(w, 1 + place / ENTRIES, PUT, entry);
}

static void form_look(struct world *w)
{
	bool is_busy = w->core[1].doing != IDLE || w->core[2].doing != IDLE;

	if (!is_busy && !w->facts.is_taking && !w->facts.is_notified)
		demand(w, entries_in(w) == 0, BREAKS_LOST);
}
