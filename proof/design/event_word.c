/* SPDX-License-Identifier: MIT */

/*
 * protocol/event_word.h. The task of core 0 waits, clears and ends. The other two cores set its
 * events, and core 1 may begin the task, too. The judge uses only the order in which halves begin
 * and end. So it knows events that are certainly set (`certain`), and events that may be set
 * (`possible`).
 */
#define LOGGED uint64_t
#include "replay.h"

#include "event_word.h"

struct words {
	uint64_t word;
};

enum half_number { BEGIN = 1, END, RENEW, WAIT, CLEAR, SET };
enum { OWNER = 0 }; /* EVENTS: a set, 1 or 3. ANEW: the task is renewed, or core 1 begins it. */
enum life { SUSPENDED, RUNS, BLOCKED };

struct facts {
	uint8_t life;
	uint8_t waits;	  /* the events for which the task waits */
	uint8_t certain;  /* events that are certainly set */
	uint8_t possible; /* events that may be set */
	struct {
		uint8_t crossed; /* events that were cleared while this half set them */
		bool saw_active, saw_suspended;
	} set[3];
};

#define RULES                                                                                      \
	RULE(LOST, "the task waits for an event that is set, and no core is about to wake it")     \
	RULE(VAIN, "the task goes on, and none of the events that it waited for was set")          \
	RULE(ONCE, "a task is made ready that does not wait")                                      \
	RULE(EVENTS, "events are set that cannot be, or are not that must be")                     \
	RULE(STATUS, "events of a suspended task are set, or those of another are refused")        \
	RULE(STATE, "the word does not say whether the task is active, or waits")                  \
	RULE(QUERY, "a state is in reach that must not be")                                        \
	RULE(ENDLESS, "a half is in a loop")
#include "between_cores.h"

static const char *form_half(unsigned doing)
{
	static const char *const names[] = { "-", "begin", "end", "renew", "wait", "clear", "set" };

	return names[doing];
}

static uint64_t form_run(struct world *w, const struct core *core)
{
	uint64_t *word = &w->words.word;

	switch (core->doing) {
	case BEGIN:
		return plf_event_begin(word);
	case END:
		plf_event_end(word);
		return 0;
	case RENEW:
		plf_event_renew(word);
		return 0;
	case WAIT:
		return plf_event_wait(word, core->with);
	case CLEAR:
		plf_event_clear(word, core->with);
		return 0;
	default:
		return plf_event_set(word, core->with);
	}
}

static void form_begin(struct world *w)
{
	(void)w;
}

/* ---- Begins of halves ----------------------------------------------------------- */

/* The events are being cleared from now on. Sets under way may lose them. */
static void crossing(struct world *w, unsigned events)
{
	w->facts.certain &= (uint8_t)~events;
	for (unsigned core = 1; core < CORES; core++)
		if (w->core[core].doing == SET)
			w->facts.set[core].crossed |= (uint8_t)events;
}

static void changing_life(struct world *w)
{
	crossing(w, EVENTS);
	for (unsigned core = 1; core < CORES; core++) {
		w->facts.set[core].saw_active = true;
		w->facts.set[core].saw_suspended = true;
	}
}

static void begin_owner(struct world *w, unsigned doing, unsigned with)
{
	begin_half(w, OWNER, doing, with);
	if (doing == CLEAR)
		crossing(w, with);
	if (doing == RENEW)
		crossing(w, EVENTS);
	if (doing == END)
		changing_life(w);
}

static void begin_set(struct world *w, unsigned core, unsigned events)
{
	unsigned owner = w->core[OWNER].doing;
	bool is_changing = owner == END;

	begin_half(w, core, SET, events);
	w->facts.possible |= (uint8_t)events;
	w->facts.set[core].crossed = 0;
	if (is_changing || owner == RENEW)
		w->facts.set[core].crossed = EVENTS;
	else if (owner == CLEAR)
		w->facts.set[core].crossed = w->core[OWNER].with;
	w->facts.set[core].saw_active = is_changing || w->facts.life != SUSPENDED;
	w->facts.set[core].saw_suspended = is_changing || w->facts.life == SUSPENDED;
}

/* ---- Ends of halves -------------------------------------------------------------- */

/* The events are cleared, except events that another core was setting meanwhile. */
static void cleared(struct world *w, unsigned events)
{
	for (unsigned core = 1; core < CORES; core++)
		if (w->core[core].doing == SET)
			events &= ~(unsigned)w->core[core].with;
	w->facts.possible &= (uint8_t)~events | w->facts.certain;
}

static void ended_set(struct world *w, unsigned core, unsigned events, uint64_t seen)
{
	struct facts *f = &w->facts;
	bool is_accepted = (seen & PLF_EVENT_ACTIVE) != 0;

	demand(w, is_accepted ? f->set[core].saw_active : f->set[core].saw_suspended,
	       BREAKS_STATUS);
	if (!is_accepted)
		return;
	f->certain |= (uint8_t)(events & ~(unsigned)f->set[core].crossed);
	if (!plf_event_wakes(seen, events))
		return;
	demand(w, f->life == BLOCKED, BREAKS_ONCE);
	demand(w, (events & f->waits) != 0, BREAKS_VAIN);
	f->life = RUNS;
	say("core %u makes the task ready", core);
}

static void ended_wait(struct world *w, unsigned events, bool waits)
{
	demand(w, waits || w->facts.possible & events, BREAKS_VAIN);
	if (waits) {
		w->facts.life = BLOCKED;
		w->facts.waits = (uint8_t)events;
	}
}

/* A begin is one access, so it has just happened. */
static void ended_begin(struct world *w, bool has_begun)
{
	demand(w, has_begun == (w->facts.life == SUSPENDED), BREAKS_STATUS);
	if (!has_begun)
		return;
	w->facts.life = RUNS;
	for (unsigned core = 1; core < CORES; core++)
		w->facts.set[core].saw_active = true;
}

static void form_ended(struct world *w, unsigned core, unsigned did, unsigned with, uint64_t result)
{
	switch (did) {
	case BEGIN:
		ended_begin(w, result != 0);
		break;
	case RENEW:
		cleared(w, EVENTS);
		break;
	case END:
		w->facts.life = SUSPENDED;
		cleared(w, EVENTS);
		break;
	case WAIT:
		ended_wait(w, with, result != 0);
		break;
	case CLEAR:
		cleared(w, with);
		break;
	default:
		ended_set(w, core, with, result);
	}
}

/* ---- Possible events -------------------------------------------------------------- */

static const struct {
	uint8_t core, doing, with;
} choices[] = {
	{ OWNER, BEGIN, 0 }, { OWNER, END, 0 },	  { OWNER, RENEW, 0 }, { OWNER, WAIT, 1 },
	{ OWNER, WAIT, 3 },  { OWNER, CLEAR, 1 }, { OWNER, CLEAR, 3 }, { 1, BEGIN, 0 },
	{ 1, SET, 1 },	     { 1, SET, 2 },	  { 2, SET, 1 },       { 2, SET, 3 },
};

static bool is_anew(unsigned place)
{
	return choices[place].doing == RENEW ||
	       (choices[place].doing == BEGIN && choices[place].core != OWNER);
}

static bool form_may(const struct world *w, unsigned choice)
{
	unsigned place = choice - FIRST_CHOICE;

	if (place >= sizeof(choices) / sizeof(*choices) || choices[place].with & ~EVENTS ||
	    w->core[choices[place].core].doing != IDLE)
		return false;
	if (!ANEW && is_anew(place))
		return false;
	return choices[place].core != OWNER ||
	       w->facts.life == (choices[place].doing == BEGIN ? SUSPENDED : RUNS);
}

static void form_act(struct world *w, unsigned choice)
{
	unsigned place = choice - FIRST_CHOICE;

	if (choices[place].core == OWNER)
		begin_owner(w, choices[place].doing, choices[place].with);
	else if (choices[place].doing == BEGIN)
		begin_half(w, choices[place].core, BEGIN, 0);
	else
		begin_set(w, choices[place].core, choices[place].with);
}

static void form_look(struct world *w)
{
	const struct facts *f = &w->facts;
	uint64_t seen = w->words.word;
	bool is_set_under_way = w->core[1].doing == SET || w->core[2].doing == SET;

	if (f->life == BLOCKED && !is_set_under_way)
		demand(w, !(f->certain & f->waits), BREAKS_LOST);
	if (w->core[OWNER].doing != IDLE)
		return;
	demand(w, !(seen & PLF_EVENT_ACTIVE) == (f->life == SUSPENDED), BREAKS_STATE);
	if (!is_set_under_way)
		demand(w, plf_event_is_waiting(seen) == (f->life == BLOCKED), BREAKS_STATE);
	demand(w, f->life != SUSPENDED || (seen & EVENTS) == 0, BREAKS_EVENTS);
	demand(w, (f->certain & ~seen) == 0, BREAKS_EVENTS);
	demand(w, (seen & EVENTS & ~(uint64_t)f->possible) == 0, BREAKS_EVENTS);
}
