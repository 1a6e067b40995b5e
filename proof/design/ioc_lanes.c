/* SPDX-License-Identifier: MIT */

/*
 * protocol/ioc_lanes.h, with its uses in plf_ioc.h. Core 0 receives from the other cores, each of
 * which sends in its own lane.
 * - QUEUED: each lane is a queue of a single place; else it holds the last value.
 * - ENDED: a sender may be ended at any access, and goes on with its next service. So may the
 *   receiver of last values.
 * - EACH: the most values or messages of a sender.
 * - READS: the most reads of the receiver; 0: any number.
 */
#include "replay.h"

/*
 * SIMPLE: a lane whose value changes by one access, for senders that write once. It replaces
 * protocol/ioc_last.h, which has its own proof.
 */
#if SIMPLE
#define PLF_IOC_LAST_H
enum { PLF_IOC_SLOTS = 2 };

struct plf_ioc_last {
	uint32_t written;
};

static inline uint32_t plf_ioc_last_claim(const struct plf_ioc_last *last)
{
	(void)last;
	return 1;
}

static inline void plf_ioc_last_publish(struct plf_ioc_last *last, uint32_t place)
{
	plf_store_release32(&last->written, place);
}

static inline uint32_t plf_ioc_last_find(struct plf_ioc_last *last)
{
	return plf_load32(&last->written);
}
#endif

/* A message or value is a shared word. The other side of a copy is the caller's memory. */
static inline void copied(void *to, const void *from);
#define __builtin_memcpy(to, from, size) copied(to, from)
#include "plf_ioc.h"
#undef __builtin_memcpy

enum half_number { SEND = 1, RECEIVE };
enum { RECEIVER = 0, SENDERS = HAS_CORES - 1 };

struct lane {
	struct plf_ioc_last_lane last; /* the words of a queue take its place */
	uint32_t places[PLF_IOC_SLOTS];
};

struct words {
	struct lane lane[SENDERS];
	uint32_t turn;
};

/* A set of numbers from 1 to SENDS, in the order in which sends begin; 0 is the initial value. */
typedef uint8_t numbers;

struct facts {
	uint8_t sent;		   /* number of sends so far */
	uint8_t lane[SENDS + 1];   /* the lane of each number */
	numbers done;		   /* numbers that have been sent */
	numbers broken_off;	   /* numbers that may have been sent */
	numbers received;	   /* QUEUED only */
	numbers known;		   /* sent before the receiver began to look */
	uint8_t passed[SENDERS];   /* receives from other lanes since this lane has messages */
	numbers full;		   /* numbers whose lane was full when they were begun */
	numbers before[SENDS + 1]; /* last values: the values before each value */
	uint8_t last;		   /* the value read last */
	uint8_t reads;		   /* number of reads, if READS limits them */
};

#define RULES                                                                                      \
	RULE(SENT, "something is received that was not sent")                                      \
	RULE(ONCE, "a message is received twice")                                                  \
	RULE(ORDER, "a message is received before an earlier one of its sender")                   \
	RULE(LOST, "a message is in, and the receiver gets none")                                  \
	RULE(FULL, "a message is lost, and its lane is not full")                                  \
	RULE(TURN, "a sender's message waits for two of another one")                              \
	RULE(LINEAR, "no order of the values explains what is read")                               \
	RULE(QUERY, "a state is in reach that must not be")                                        \
	RULE(ENDLESS, "a half is in a loop")
#include "between_cores.h"

static inline bool is_shared(const void *word)
{
	const char *start = (const char *)&stepped->words;

	return (const char *)word >= start && (const char *)word < start + sizeof(stepped->words);
}

static inline void copied(void *to, const void *from)
{
	uint32_t word;

	if (is_shared(to)) {
		memcpy(&word, from, sizeof(word));
		plf_store32(to, word);
	} else {
		word = plf_load32(from);
		memcpy(to, &word, sizeof(word));
	}
}

static const char *form_half(unsigned doing)
{
	static const char *const names[] = { "-", "send", "receive" };

	return names[doing];
}

enum { NOTHING = 99, IS_FULL = 98, ONE_PLACE = 0 };

static struct plf_ioc_lanes lanes_of(struct words *words)
{
	return (struct plf_ioc_lanes) { (char *)words->lane, sizeof(words->lane[0]), SENDERS };
}

static uint64_t send(struct words *words, uint32_t lane, uint32_t number)
{
	struct plf_ioc_lanes lanes = lanes_of(words);

	if (!QUEUED)
		return plf_ioc_write_stamped(lanes, lane, offsetof(struct lane, places), &number,
					     sizeof(number));
	return plf_ioc_send(plf_ioc_queue_of(lanes, lane), 1, ONE_PLACE,
			    (char *)words->lane[lane].places, &number, sizeof(number));
}

static uint64_t receive(struct words *words)
{
	struct plf_ioc_lanes lanes = lanes_of(words);
	size_t places = offsetof(struct lane, places);
	uint32_t number = 0;
	Std_ReturnType status =
		QUEUED ? plf_ioc_receive_one((struct plf_ioc_turn *)(void *)&words->turn, lanes,
					     ONE_PLACE, places, &number, sizeof(number))
		       : plf_ioc_read_last(lanes, places, &number, sizeof(number));

	return status == IOC_E_NO_DATA ? NOTHING : number;
}

static uint64_t form_run(struct world *w, const struct core *core)
{
	unsigned number = (unsigned)(core - w->core);

	if (core->doing == SEND)
		return send(&w->words, number - 1, core->with);
	return receive(&w->words);
}

static void form_begin(struct world *w)
{
	w->facts.done = 1;
}

static inline numbers bit(unsigned number)
{
	return (numbers)(1U << number);
}

static numbers of_lane(const struct facts *facts, numbers some, unsigned lane)
{
	numbers found = 0;

	for (unsigned number = 1; number <= SENDS; number++)
		if (some & bit(number) && facts->lane[number] == lane)
			found |= bit(number);
	return found;
}

/* ---- A queue ----------------------------------------------------------------- */

static void pass_others(struct world *w, unsigned given)
{
	struct facts *facts = &w->facts;

	for (unsigned lane = 0; lane < SENDERS; lane++) {
		bool has_waited = of_lane(facts, facts->known, lane) != 0;

		facts->passed[lane] = lane == given || !has_waited ? 0 : facts->passed[lane] + 1;
		demand(w, facts->passed[lane] < SENDERS, BREAKS_TURN);
	}
}

static void is_received(struct world *w, unsigned number)
{
	struct facts *facts = &w->facts;
	numbers of_sender;

	demand(w, number >= 1 && number <= facts->sent, BREAKS_SENT);
	if (w->broken)
		return;
	of_sender = of_lane(facts, facts->done, facts->lane[number]);
	demand(w, !(facts->received & bit(number)), BREAKS_ONCE);
	demand(w, !(of_sender & (bit(number) - 1) & ~facts->received), BREAKS_ORDER);
	facts->received |= bit(number);
	pass_others(w, facts->lane[number]);
}

/* ---- The last value ---------------------------------------------------------- */

/*
 * A value came before another value in these cases: it was written or read before the other was
 * begun; it was written before a read of the other was begun; it was read before the other. An
 * order of all values exists if, and only if, no value came before itself.
 */
static void came_before(struct world *w, unsigned first, unsigned second)
{
	struct facts *facts = &w->facts;
	numbers earlier = bit(first) | facts->before[first];

	if (first == second)
		return;
	demand(w, !(earlier & bit(second)), BREAKS_LINEAR);
	for (unsigned number = 0; number <= SENDS; number++)
		if (number == second || facts->before[number] & bit(second))
			facts->before[number] |= earlier;
}

static void all_came_before(struct world *w, numbers some, unsigned second)
{
	for (unsigned first = 0; first <= SENDS; first++)
		if (some & bit(first))
			came_before(w, first, second);
}

static void is_read(struct world *w, unsigned number)
{
	demand(w, number <= w->facts.sent, BREAKS_SENT);
	if (w->broken)
		return;
	all_came_before(w, w->facts.known | bit(w->facts.last), number);
	w->facts.last = (uint8_t)number;
}

/* ---- Possible events --------------------------------------------------------- */

static void form_ended(struct world *w, unsigned core, unsigned did, unsigned with, uint64_t result)
{
	struct facts *facts = &w->facts;

	(void)core;
	if (did == SEND) {
		if (result == IOC_E_OK)
			facts->done |= bit(with);
		else
			demand(w, facts->full & bit(with), BREAKS_FULL);
	} else if (!QUEUED) {
		is_read(w, (unsigned)result);
	} else if (result == NOTHING) {
		demand(w, facts->known == 0, BREAKS_LOST);
	} else {
		is_received(w, (unsigned)result);
	}
}

/* The receiver begins; all is done, and starts again; a core begins to send, or is broken off. */
enum {
	RECEIVES = FIRST_CHOICE,
	ANEW,
	SENDS_NEXT,
	ENDS = SENDS_NEXT + SENDERS, /* from core 0 on */
	CHOICES = ENDS + CORES,
};

static bool may_send(const struct world *w, unsigned lane)
{
	const struct facts *facts = &w->facts;
	numbers begun = (numbers)((2U << facts->sent) - 2);

	return facts->sent < SENDS && w->core[1 + lane].doing == IDLE &&
	       __builtin_popcount(of_lane(facts, begun, lane)) < EACH;
}

static bool form_may(const struct world *w, unsigned choice)
{
	if (choice >= CHOICES)
		return false;
	if (choice == RECEIVES)
		return w->core[RECEIVER].doing == IDLE && (!READS || w->facts.reads != READS);
	if (choice >= ENDS)
		return ENDED && w->core[choice - ENDS].doing != IDLE && (choice > ENDS || !QUEUED);
	if (choice >= SENDS_NEXT)
		return may_send(w, choice - SENDS_NEXT);
	for (unsigned core = 0; core < CORES; core++)
		if (w->core[core].doing != IDLE)
			return false;
	return w->facts.sent == SENDS;
}

static void begin_send(struct world *w, unsigned lane)
{
	struct facts *facts = &w->facts;
	numbers old = facts->done | facts->broken_off;
	unsigned number = ++facts->sent;

	facts->lane[number] = (uint8_t)lane;
	if (QUEUED && of_lane(facts, (numbers)(old & ~facts->received), lane))
		facts->full |= bit(number);
	if (!QUEUED)
		all_came_before(w, old | bit(facts->last), number);
	begin_half(w, 1 + lane, SEND, number);
}

static void form_act(struct world *w, unsigned choice)
{
	struct facts *facts = &w->facts;

	if (choice == RECEIVES) {
		facts->known =
			QUEUED ? (numbers)(facts->done & ~facts->received & ~1U) : facts->done;
		facts->reads += READS != 0;
		begin_half(w, RECEIVER, RECEIVE, 0);
	} else if (choice == ANEW) {
		world_begin(w);
	} else if (choice >= ENDS) {
		if (choice > ENDS)
			facts->broken_off |= bit(w->core[choice - ENDS].with);
		say("core %u is broken off", choice - ENDS);
		memset(&w->core[choice - ENDS], 0, sizeof(w->core[0]));
	} else {
		begin_send(w, choice - SENDS_NEXT);
	}
}

/* All rules are checked when a half ends. */
static void form_look(struct world *w)
{
	(void)w;
}
