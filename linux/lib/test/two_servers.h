/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_TWO_SERVERS_H
#define PLF_TEST_TWO_SERVERS_H

/*
 * Scenarios with one or two servers of CPU 0, while main waits above their bands. They record when
 * the servers have the CPU, according to the manager, and allow for a busy machine.
 */
#include "team.h"

#define MS UINT64_C(1000000)

enum { WINDOWS = 256, STRETCHES = 4096, GAP_NS = 50000, MAIN = 60 };

/* When a server has the CPU, according to the manager. */
struct timeline {
	uint64_t gets_ns[WINDOWS], loses_ns[WINDOWS];
	size_t count; /* of windows that have begun */
	uint64_t replenished, depleted, overruns;
};

/* A thread of a server that runs whenever it can, until end_ns; and when it ran. */
struct greedy {
	plf_server_t *server;
	int local_priority;
	uint64_t end_ns;
	uint64_t from_ns[STRETCHES], to_ns[STRETCHES];
	size_t count;
};

void note_time(struct greedy *g, uint64_t now_ns);

/* Start the thread: it joins the server, and runs until end_ns. */
void join_greedy(struct member *member, struct greedy *g, plf_server_t *server, int local_priority,
		 uint64_t end_ns);

/* ---- Noise ------------------------------------------------------------- */

/*
 * A claim holds on a machine that does nothing else. If a claim is wrong, and the manager or main
 * was late by at least NOISE_NS, the scenario is repeated.
 */
enum { NOISE_NS = 500000 };

#define claim(condition) claim_at(condition, __LINE__)
void claim_at(bool is_true, int line);
void lateness(uint64_t ns);

/*
 * If this claim is wrong, the machine may have taken time from a thread, so the scenario is
 * repeated.
 */
#define claim_in_time(condition)                                                                   \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			claim(false);                                                              \
			lateness(NOISE_NS);                                                        \
		}                                                                                  \
	} while (0)

/* Sleep, and note how late the wake-up was. */
void sleep_until(uint64_t time_ns);

/* How late the manager of the server's CPU was at most. */
uint64_t latest_ns(const plf_server_t *server);

/* ---- Scenarios --------------------------------------------------------- */

/*
 * `first` is the more urgent server. Together they have the whole CPU. Their periods count from
 * begin_ns.
 */
extern plf_server_t first, second;
extern struct timeline of_first, of_second;
extern uint64_t begin_ns;

enum { PERIOD_MS = 40, FIRST_MS = 16, SECOND_MS = PERIOD_MS - FIRST_MS };
enum { OF_FIRST = 20, OF_SECOND = 10 };

/* The instant `ms` after the begin of that period. */
uint64_t at(uint64_t periods, uint64_t ms);

void open_server(plf_server_t *server, struct timeline *line, int priority, uint64_t ms,
		 int policy);
void close_two(void);

/* A scenario opens its servers itself (`has_one`), or gets the two servers above, idling. */
struct scenario {
	void (*body)(void);
	bool has_one;
};

void run_scenario(void **state);

#define one_server(f)                                                                              \
	{                                                                                          \
#f, run_scenario, NULL, NULL, &(struct scenario)                                   \
		{                                                                                  \
			f, true                                                                    \
		}                                                                                  \
	}
#define two_servers(f)                                                                             \
	{                                                                                          \
#f, run_scenario, NULL, NULL, &(struct scenario)                                   \
		{                                                                                  \
			f, false                                                                   \
		}                                                                                  \
	}

#endif
