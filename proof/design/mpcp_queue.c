/* SPDX-License-Identifier: MIT */

/*
 * protocol/mpcp_queue.h: the users of a resource enter, block, leave and hand over. They end inside
 * or outside. Users are assigned to the cores in turn. A core runs one half at a time, and runs no
 * other user while its user is inside. A wake-up takes any time. The judge uses only the order in
 * which halves begin and end.
 *
 * If there are users in the queue, the right to be inside belongs to one of these at every moment:
 * - the user inside;
 * - a user that was woken for it, or will find its grant when it blocks;
 * - a core that hands over.
 *
 * All of these go on by themselves, so an end can be reached from every state.
 *
 * BY_CORE: a word for each core. A user outside may end above a user of its core that enters or
 * leaves.
 *
 * GARBAGE: the queue takes any value at any moment, and the kernel's own state must stay right.
 * With BY_CORE a word at a time is foul, because an access sees only one, and users do not end.
 */
#define LOGGED uint8_t
#include "replay.h"

#include "mpcp_queue.h"

/* The set of all USERS. */
enum { ALL = (1 << USERS) - 1 };

enum { WORDS = BY_CORE ? 1 + 3 : 1 }; /* BY_CORE: CORES of between_cores.h is 3 */

struct words {
	uint64_t queue[WORDS];
	uint32_t states[USERS];
};

enum half_number { ENTER = 1, BLOCK, LEAVE, NEXT, GRANT, END };
enum life { OUTSIDE, WAITS, WOKEN, INSIDE };

struct facts {
	uint8_t life[USERS];
	uint8_t queued;	 /* users that entered and have not left */
	uint8_t asked;	 /* BY_CORE: users queued when the search for the next user began */
	uint8_t kept;	 /* users that were granted the resource before they blocked */
	uint8_t crossed; /* users that were granted the resource while they ended */
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
	RULE(VAIN, "one that is not in the queue hands over when it ends")                         \
	RULE(STALE, "a grant is left of an activation that is over")                               \
	RULE(QUERY, "a state is in reach that must not be")                                        \
	RULE(ENDLESS, "a half is in a loop")
#include "between_cores.h"

static unsigned core_of(unsigned user)
{
	return user % CORES;
}

_Static_assert(WORDS == 1 || WORDS == 1 + CORES, "a word for each core");

/* BY_CORE: the users on each core. The highest users follow the order of the cores. The bits of a
 * core without users are arbitrary. */
#define USERS_ON(core)                                                                             \
	(USERS > (core) ? (1U << (USERS + CORES - 1 - (core)) / CORES) - 1 : UINT64_MAX)
static const uint64_t cores = (1 << (USERS < CORES ? USERS : CORES)) - 1;
static const uint64_t users_on[] = { USERS_ON(0), USERS_ON(1), USERS_ON(2) };

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

/* ---- The header's functions, in either form ---------------------------------------- */

static uint64_t bit_of(unsigned user)
{
	return UINT64_C(1) << (BY_CORE ? user / CORES : user);
}

static bool enter(uint64_t *queue, unsigned user)
{
	return BY_CORE ? plf_mpcp_enter_by_core(queue, core_of(user), bit_of(user))
		       : plf_mpcp_enter(queue, bit_of(user));
}

static bool leave(uint64_t *queue, unsigned user)
{
	return BY_CORE ? plf_mpcp_leave_by_core(queue, core_of(user), bit_of(user))
		       : plf_mpcp_leave(queue, bit_of(user));
}

static bool end(uint64_t *queue, unsigned user, uint32_t *state)
{
	return BY_CORE ? plf_mpcp_end_by_core(queue, core_of(user), bit_of(user), state)
		       : plf_mpcp_end(queue, bit_of(user), state);
}

/* Returns 1 + the user, or 0. */
static unsigned next(const uint64_t *queue)
{
	unsigned place = 0, found;

	if (!BY_CORE)
		return plf_mpcp_next(queue, ALL, &found) ? 1 + found : 0;
	if (!plf_mpcp_next_by_core(queue, cores, users_on, &place, &found))
		return 0;
	return 1 + place + found * CORES;
}

static uint64_t form_run(struct world *w, const struct core *core)
{
	uint32_t *state = &w->words.states[core->with];

	switch (core->doing) {
	case ENTER:
		return enter(w->words.queue, core->with);
	case BLOCK:
		return plf_mpcp_block(state);
	case LEAVE:
		return leave(w->words.queue, core->with);
	case NEXT:
		return next(w->words.queue);
	case GRANT:
		return plf_mpcp_grant(state);
	default:
		return end(w->words.queue, core->with, state);
	}
}

static void form_begin(struct world *w)
{
	(void)w;
}

/* ---- Begins of halves ----------------------------------------------------------- */

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

/* ---- Ends of halves -------------------------------------------------------------- */

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
	if (!hands_over)
		return;
	if (BY_CORE)
		w->facts.asked = w->facts.queued;
	begin_half(w, core_of(user), NEXT, user);
}

/* BY_CORE: the order of the cores comes first. */
static unsigned urgency(unsigned user)
{
	return BY_CORE ? core_of(user) * USERS + user : user;
}

/* BY_CORE: the search takes two accesses, and others may enter between them. */
static bool is_highest(const struct world *w, unsigned user)
{
	unsigned among = BY_CORE ? w->facts.asked : w->facts.queued;

	for (unsigned other = 0; other < USERS; other++)
		if (among >> other & 1 && urgency(other) > urgency(user))
			return false;
	return w->facts.queued >> user & 1;
}

static void ended_next(struct world *w, unsigned core, uint64_t found)
{
	unsigned user = (unsigned)found - 1;

	if (found != 0)
		demand(w, user < USERS, BREAKS_USER);
	if (!GARBAGE && !w->broken)
		demand(w, found != 0 && is_highest(w, user), BREAKS_HIGHEST);
	w->facts.asked = 0;
	if (found != 0 && !w->broken)
		begin_grant(w, core, user);
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

/* ---- Possible events -------------------------------------------------------------- */

/*
 * A user goes on: it enters, is inside after a wake-up, or leaves. Or it ends, or ends above
 * another user of its core. Or the queue becomes foul: it has any bits of users, and a bit of no
 * user. BY_CORE, these are bits of cores, or of the users of a core.
 */
enum { ABOVE = BY_CORE && !GARBAGE };
enum { GOES_ON = FIRST_CHOICE, ENDS = GOES_ON + USERS, ENDS_ABOVE = ENDS + USERS };
enum { FOULED = ENDS_ABOVE + ABOVE * USERS, VALUES = 1 << (USERS + 1) };
enum { VALUES_OF_CORE = 4 };
enum { FOUL_CHOICES = GARBAGE ? VALUES + BY_CORE * (USERS + 1) * VALUES_OF_CORE : 0 };
_Static_assert(FOULED + FOUL_CHOICES <= 32, "more than the actions of model.pml");

static bool may_end_above(const struct world *w, unsigned user)
{
	unsigned doing = w->core[core_of(user)].doing;

	return (doing == ENTER || doing == LEAVE) && w->facts.life[user] == OUTSIDE &&
	       !is_doing(w, core_of(user), doing, user);
}

static void end_above(struct world *w, unsigned user)
{
	say("user %u ends above", user);
	demand(w, !end(w->words.queue, user, &w->words.states[user]), BREAKS_VAIN);
}

static bool is_free_for(const struct world *w, unsigned user)
{
	if (w->core[core_of(user)].doing != IDLE)
		return false;
	for (unsigned other = core_of(user); other < USERS; other += CORES)
		if (other != user && w->facts.life[other] == INSIDE)
			return false;
	return true;
}

static void foul(struct world *w, unsigned choice)
{
	unsigned word = choice < VALUES ? 0 : 1 + (choice - VALUES) / VALUES_OF_CORE;
	unsigned value = choice < VALUES ? choice : (choice - VALUES) % VALUES_OF_CORE;

	memset(w->words.queue, 0, sizeof(w->words.queue));
	w->words.queue[word] = value;
	say("word %u of the queue becomes %#x, the others 0", word, value);
}

static bool form_may(const struct world *w, unsigned choice)
{
	unsigned user = (choice - GOES_ON) % USERS;

	if (choice >= FOULED)
		return choice < FOULED + FOUL_CHOICES;
	if (choice >= ENDS_ABOVE)
		return may_end_above(w, user);
	if (!is_free_for(w, user) || w->facts.life[user] == WAITS)
		return false;
	return choice < ENDS || (w->facts.life[user] != WOKEN && !(BY_CORE && GARBAGE));
}

static void form_act(struct world *w, unsigned choice)
{
	unsigned user = (choice - GOES_ON) % USERS;

	if (choice >= FOULED) {
		foul(w, choice - FOULED);
	} else if (choice >= ENDS_ABOVE) {
		end_above(w, user);
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

/* Whether no core is about to put its user into the queue, or to take it out. */
static bool is_queue_still(const struct world *w)
{
	for (unsigned core = 0; core < CORES; core++) {
		unsigned doing = w->core[core].doing;

		if (doing == ENTER || doing == LEAVE || doing == END)
			return false;
	}
	return true;
}

static bool is_queue_right(const struct world *w)
{
	uint64_t words[WORDS] = { 0 };

	for (unsigned user = 0; user < USERS; user++) {
		if (!(w->facts.queued >> user & 1))
			continue;
		words[BY_CORE ? 1 + core_of(user) : 0] |= bit_of(user);
		if (BY_CORE)
			words[0] |= UINT64_C(1) << core_of(user);
	}
	return memcmp(words, w->words.queue, sizeof(words)) == 0;
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
		demand(w, is_queue_right(w), BREAKS_QUEUE);
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
