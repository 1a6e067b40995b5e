/* SPDX-License-Identifier: MIT */

/*
 * protocol/spin_*.h: three cores want a lock, again and again. A holder leaves, or its activation
 * ends. A core that spins may end, too. ORDERED: 0 for spin_unordered.h, 1 for spin_fifo.h, 2 for
 * spin_priority.h, in which the user of the last core is the most urgent. LAST: the cores are the
 * last possible users, not the first.
 */
#include "replay.h"

#if ORDERED == 0
#include "spin_unordered.h"
#elif ORDERED == 1
#include "spin_fifo.h"
#else
#include "spin_priority.h"
#endif

enum half_number { TRY = 1, JOIN, TURN, LEAVE, END };

struct words {
	uint64_t word;
};

enum state { OUT, SPINS, INSIDE };

struct facts {
	uint8_t state[3];
	uint8_t ahead[3]; /* cores that came before this spinning core, and still spin */
	uint8_t next;	  /* 1 + the core that has been handed the lock; 0: none */
};

#define RULES                                                                                      \
	RULE(EXCLUSION, "two cores are inside")                                                    \
	RULE(ORDER, "a core is let in before the one that is next")                                \
	RULE(LOST, "a core spins for a lock that is free, or its own, and is not let in")          \
	RULE(VAIN, "no core wants the lock, and it is not free")                                   \
	RULE(QUERY, "a state is in reach that must not be")                                        \
	RULE(ENDLESS, "a half is in a loop")
#include "between_cores.h"

static const char *form_half(unsigned doing)
{
	static const char *const names[] = { "-", "try", "join", "turn", "leave", "end" };

	return names[doing];
}

static uint64_t form_run(struct world *w, const struct core *core)
{
	uint64_t *word = &w->words.word, me = plf_spin_mark(core->with), seen;

	switch (core->doing) {
	case TRY:
		return plf_spin_try(word, me);
	case JOIN:
		return plf_spin_join(word, me);
	case TURN:
		return plf_spin_turn(word, me, &seen);
	case LEAVE:
		plf_spin_leave(word, me);
		return 0;
	default:
		plf_spin_end(word, me);
		return 0;
	}
}

static void form_begin(struct world *w)
{
	(void)w;
}

static unsigned how_many(const struct world *w, enum state state)
{
	unsigned count = 0;

	for (unsigned core = 0; core < CORES; core++)
		count += w->facts.state[core] == state;
	return count;
}

static void let_in(struct world *w, unsigned core)
{
	demand(w, how_many(w, INSIDE) == 0, BREAKS_EXCLUSION);
	if (ORDERED)
		demand(w, w->facts.next == 0 || w->facts.next == core + 1, BREAKS_ORDER);
	w->facts.state[core] = INSIDE;
	w->facts.next = 0;
	say("core %u is inside", core);
}

/* Returns 1 + the core that is next when the holder leaves, or 0 if no core spins. */
static unsigned due(const struct world *w)
{
	unsigned found = 0;

	for (unsigned core = 0; core < CORES; core++)
		if (w->facts.state[core] == SPINS && (ORDERED == 2 || w->facts.ahead[core] == 0))
			found = core + 1;
	return found;
}

/* Cores that came behind this core have one less ahead. */
static void move_up(struct world *w, unsigned core)
{
	for (unsigned other = 0; other < CORES; other++)
		if (w->facts.ahead[other] > w->facts.ahead[core])
			w->facts.ahead[other]--;
}

static void hand_over(struct world *w)
{
	w->facts.next = (uint8_t)due(w);
	if (w->facts.next)
		move_up(w, w->facts.next - 1U);
}

/* The core leaves. If it held the lock, or had been handed it, the lock goes to the next core. */
static void go(struct world *w, unsigned core)
{
	bool holds = w->facts.state[core] == INSIDE || w->facts.next == core + 1;

	w->facts.state[core] = OUT;
	if (!ORDERED)
		return;
	if (holds)
		hand_over(w);
	else
		move_up(w, core);
}

static void form_ended(struct world *w, unsigned core, unsigned did, unsigned with, uint64_t result)
{
	(void)with;
	if (did == LEAVE || did == END) {
		if (w->facts.state[core] != OUT)
			go(w, core);
	} else if (result != 0) {
		let_in(w, core);
	} else if (did == JOIN) {
		w->facts.ahead[core] = (uint8_t)(how_many(w, SPINS) - (w->facts.next != 0 ? 1 : 0));
		w->facts.state[core] = SPINS;
	} else if (did == TURN) {
		demand(w, w->facts.next != core + 1, BREAKS_LOST);
	}
}

/* ---- Possible events -------------------------------------------------------------- */

/* Each core begins a half. */
enum { BEGINS = FIRST_CHOICE, CHOICES = BEGINS + CORES * END };

static bool form_may(const struct world *w, unsigned choice)
{
	unsigned core = (choice - BEGINS) / END, doing = (choice - BEGINS) % END + 1;

	if (choice >= CHOICES || w->core[core].doing != IDLE)
		return false;
	switch (w->facts.state[core]) {
	case OUT:
		return doing == TRY || doing == JOIN || doing == END;
	case SPINS:
		return doing == TURN || doing == END;
	default:
		return doing == LEAVE || doing == END;
	}
}

static void form_act(struct world *w, unsigned choice)
{
	unsigned core = (choice - BEGINS) / END;

	begin_half(w, core, (choice - BEGINS) % END + 1, core + (LAST ? PLF_SPIN_MOST - CORES : 0));
}

static void form_look(struct world *w)
{
	for (unsigned core = 0; core < CORES; core++)
		if (w->core[core].doing != IDLE)
			return;
	if (how_many(w, INSIDE) != 0 || w->facts.next != 0)
		return;
	demand(w, w->words.word == 0, how_many(w, SPINS) ? BREAKS_LOST : BREAKS_VAIN);
	if (ORDERED)
		demand(w, how_many(w, SPINS) == 0, BREAKS_LOST);
}
