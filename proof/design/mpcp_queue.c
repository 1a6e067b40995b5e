/* SPDX-License-Identifier: MIT */

/*
 * protocol/mpcp_queue.h: the users of a resource enter, block, leave, hand over, and end, inside or
 * outside. They are dealt out to the cores in turn; a core is in one half at a time, and is its
 * user's alone while that is inside. A wake-up takes any time. The judge knows only what began and
 * ended when.
 *
 * The right to be inside is at every moment at one place, if there are users in the queue: at the
 * one that is inside, or was woken for it, or will find its grant when it blocks; or at a core that
 * hands over. All of these go on by themselves: so an end is in reach from every state.
 *
 * GARBAGE: the queue becomes any value at any moment, and what is left is the kernel's own state.
 */
#define LOGGED uint8_t
#include "replay.h"

#include "mpcp_queue.h"

/* USERS in all. */
enum { ALL = (1 << USERS) - 1 };

struct words {
	uint64_t queue;
	uint32_t states[USERS];
};

enum half_number { ENTER = 1, BLOCK, LEAVE, NEXT, GRANT, END };
enum life { OUTSIDE, WAITS, WOKEN, INSIDE };

struct facts {
	uint8_t life[USERS];
	uint8_t queued;	 /* those that entered, and did not leave */
	uint8_t kept;	 /* that were granted it before they blocked */
	uint8_t crossed; /* that were granted it while they ended */
};

#define RULES                                                                                      \
	RULE(EXCLUSION, "two users are inside")                                                    \
	RULE(LOST, "users are in the queue, and none is inside, nor will be")                      \
	RULE(TWICE, "the resource is granted to two users")                                        \
	RULE(HIGHEST, "the resource is granted to another than the most urgent in the queue")      \
	RULE(USER, "the resource is granted to one that is no user")                               \
	RULE(ONCE, "a user is made ready that does not wait")                                      \
	RULE(QUEUE, "the queue has others than those that are inside or wait")                     \
	RULE(STATE, "the state does not say whether the user waits")                               \
	RULE(STALE, "a grant is left of an activation that is over")                               \
	RULE(QUERY, "a state is in reach that must not be")                                        \
	RULE(ENDLESS, "a half is in a loop")
#include "between_cores.h"

static unsigned core_of(unsigned user)
{
	return user % CORES;
}

static bool is_doing(const struct world *w, unsigned core, unsigned doing, unsigned user)
{
	return w->core[core].doing == doing && w->core[core].with == user;
}

static const char *form_half(unsigned doing)
{
	static const char *const names[] = {
		"-", "enter", "block", "leave", "next", "grant", "end"
	};

	return names[doing];
}

static uint64_t form_run(struct world *w, const struct core *core)
{
	uint64_t *queue = &w->words.queue;
	uint64_t bit = UINT64_C(1) << core->with;
	uint32_t *state = &w->words.states[core->with];
	unsigned next;

	switch (core->doing) {
	case ENTER:
		return plf_mpcp_enter(queue, bit);
	case BLOCK:
		return plf_mpcp_block(state);
	case LEAVE:
		return plf_mpcp_leave(queue, bit);
	case NEXT:
		return plf_mpcp_next(queue, ALL, &next) ? 1 + next : 0;
	case GRANT:
		return plf_mpcp_grant(state);
	default:
		return plf_mpcp_end(queue, bit, state);
	}
}

static void form_begin(struct world *w)
{
	(void)w;
}

/* ---- What began ----------------------------------------------------------------- */

static void begin_end(struct world *w, unsigned user)
{
	w->facts.crossed &= (uint8_t) ~(1U << user);
	for (unsigned core = 0; core < CORES; core++)
		if (is_doing(w, core, GRANT, user))
			w->facts.crossed |= (uint8_t)(1U << user);
	begin_half(w, core_of(user), END, user);
}

static void begin_grant(struct world *w, unsigned core, unsigned user)
{
	if (is_doing(w, core_of(user), END, user))
		w->facts.crossed |= (uint8_t)(1U << user);
	begin_half(w, core, GRANT, user);
}

/* ---- What ended ------------------------------------------------------------------ */

static void ended_enter(struct world *w, unsigned user, bool is_inside)
{
	w->facts.queued |= (uint8_t)(1U << user);
	if (is_inside)
		w->facts.life[user] = INSIDE;
	else
		begin_half(w, core_of(user), BLOCK, user);
}

static void ended_block(struct world *w, unsigned user, bool waits)
{
	w->facts.life[user] = waits ? WAITS : INSIDE;
	if (!waits)
		w->facts.kept &= (uint8_t) ~(1U << user);
}

static void ended_inside(struct world *w, unsigned user, bool hands_over)
{
	w->facts.life[user] = OUTSIDE;
	w->facts.queued &= (uint8_t) ~(1U << user);
	if (hands_over)
		begin_half(w, core_of(user), NEXT, user);
}

static void ended_next(struct world *w, unsigned core, uint64_t found)
{
	unsigned next = (unsigned)found - 1;

	if (!GARBAGE)
		demand(w, w->facts.queued >> next == 1, BREAKS_HIGHEST);
	if (found == 0 || w->broken)
		return;
	demand(w, next < USERS, BREAKS_USER);
	if (!w->broken)
		begin_grant(w, core, next);
}

static void ended_grant(struct world *w, unsigned user, bool wakes)
{
	if (!wakes) {
		w->facts.kept |= (uint8_t)(1U << user);
		return;
	}
	demand(w, w->facts.life[user] == WAITS, BREAKS_ONCE);
	w->facts.life[user] = WOKEN;
	say("user %u is made ready", user);
}

static void form_ended(struct world *w, unsigned core, unsigned did, unsigned with, uint64_t result)
{
	switch (did) {
	case ENTER:
		ended_enter(w, with, result != 0);
		break;
	case BLOCK:
		ended_block(w, with, result != 0);
		break;
	case NEXT:
		ended_next(w, core, result);
		break;
	case GRANT:
		ended_grant(w, with, result != 0);
		break;
	case END:
		if (!(w->facts.crossed >> with & 1))
			demand(w, w->words.states[with] == PLF_MPCP_IDLE, BREAKS_STALE);
		w->facts.kept &= (uint8_t) ~(1U << with);
		ended_inside(w, with, result != 0);
		break;
	default:
		ended_inside(w, with, result != 0);
	}
}

/* ---- What may happen -------------------------------------------------------------- */

/* Each user goes on: it enters, is there after a wake-up, or leaves; it ends; the queue is foul,
 * with bits of all users, and one that is no user's. */
enum { GOES_ON = FIRST_CHOICE, ENDS = GOES_ON + USERS, FOULED = ENDS + USERS };
enum { VALUES = 1 << (USERS + 1) };

static bool is_free_for(const struct world *w, unsigned user)
{
	if (w->core[core_of(user)].doing != IDLE)
		return false;
	for (unsigned other = core_of(user); other < USERS; other += CORES)
		if (other != user && w->facts.life[other] == INSIDE)
			return false;
	return true;
}

static bool form_may(const struct world *w, unsigned choice)
{
	unsigned user = choice < ENDS ? choice - GOES_ON : choice - ENDS;

	if (choice >= FOULED)
		return GARBAGE && choice < FOULED + VALUES;
	if (!is_free_for(w, user) || w->facts.life[user] == WAITS)
		return false;
	return choice < ENDS || w->facts.life[user] != WOKEN;
}

static void form_act(struct world *w, unsigned choice)
{
	unsigned user = choice < ENDS ? choice - GOES_ON : choice - ENDS;

	if (choice >= FOULED) {
		w->words.queue = choice - FOULED;
		say("the queue becomes %#llx", (unsigned long long)w->words.queue);
	} else if (choice >= ENDS) {
		begin_end(w, user);
	} else if (w->facts.life[user] == WOKEN) {
		w->facts.life[user] = INSIDE;
		say("user %u goes on inside", user);
	} else {
		begin_half(w, core_of(user), w->facts.life[user] == INSIDE ? LEAVE : ENTER, user);
	}
}

/* ---- Rules of every state ------------------------------------------------------------ */

static bool is_blocking(const struct world *w, unsigned user)
{
	return is_doing(w, core_of(user), BLOCK, user);
}

/* No core is about to put its user into the queue, or to take it out. */
static bool is_queue_still(const struct world *w)
{
	for (unsigned core = 0; core < CORES; core++) {
		unsigned doing = w->core[core].doing;

		if (doing == ENTER || doing == LEAVE || doing == END)
			return false;
	}
	return true;
}

static void look_for_rights(struct world *w)
{
	unsigned inside = 0, rights = 0;

	for (unsigned user = 0; user < USERS; user++) {
		unsigned life = w->facts.life[user];

		inside += life == INSIDE;
		rights += life == INSIDE || life == WOKEN ||
			  (w->facts.kept >> user & 1 && is_blocking(w, user));
	}
	for (unsigned core = 0; core < CORES; core++)
		rights += w->core[core].doing == NEXT || w->core[core].doing == GRANT;
	demand(w, inside <= 1, BREAKS_EXCLUSION);
	demand(w, rights <= 1, BREAKS_TWICE);
	demand(w, w->facts.queued == 0 || rights > 0, BREAKS_LOST);
	if (is_queue_still(w))
		demand(w, w->words.queue == w->facts.queued, BREAKS_QUEUE);
}

static bool is_of(const struct world *w, unsigned user)
{
	bool is_granted = false;

	for (unsigned core = 0; core < CORES; core++)
		is_granted |= is_doing(w, core, GRANT, user);
	return is_granted || is_blocking(w, user) || is_doing(w, core_of(user), END, user);
}

static void form_look(struct world *w)
{
	if (!GARBAGE)
		look_for_rights(w);
	for (unsigned user = 0; user < USERS; user++)
		if (!is_of(w, user))
			demand(w,
			       plf_mpcp_is_waiting(&w->words.states[user]) ==
				       (w->facts.life[user] == WAITS),
			       BREAKS_STATE);
}
