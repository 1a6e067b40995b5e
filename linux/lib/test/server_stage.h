/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_SERVER_STAGE_H
#define PLF_TEST_SERVER_STAGE_H

/*
 * Two servers of CPU 0 and their threads, in time that the test makes: after each step of main,
 * which is above the bands of all servers, the manager has done what was due. Then the kernel's
 * priorities of their threads, the events and the counts are known to the last of them, on any
 * machine.
 */
#include "made_time.h"
#include "team.h"

#include <semaphore.h>

#define MS UINT64_C(1000000)

enum { MAIN = 60, FIRST = 20, SECOND = 10, PERIOD = 40, FIRST_MS = 16, SECOND_MS = 20 };

/* `first` is the more urgent one. Their periods count from begin_ns. */
extern plf_server_t first, second;
extern uint64_t begin_ns;

/* Setup of each test: the clock is before begin_ns. */
int be_main(void **state);

#define step_test(f) cmocka_unit_test_setup(f, be_main)

/* Their events, with that letter as a name; and those since the last look. */
void open_server(plf_server_t *server, const char *name, int priority, uint64_t ms, int policy);
void write_down(void *name, enum plf_server_event event, uint64_t time_ns);
void expect_events(const char *expected);

/* The first one has the CPU, and just got it. */
void open_two(int policy);

/* The second one has its budget 25 ms later: from then until the first one comes, and after it. */
void open_apart(int policy);

void close_two(void);

struct plf_server_stats stats_of(const plf_server_t *server);

/* That instant; go there. */
uint64_t at(uint64_t ms);
void be_at(uint64_t ms);

/* ---- What the kernel says --------------------------------------------------- */

extern int manager, idler;

/* Of main, the manager and the idler: there are no others yet. */
void find_manager(void);

/* 0: SCHED_IDLE. */
void expect_priority(int tid, int priority);

/* It uses the time up, also after it has looked at the clock. */
void expect_idler(int priority);

void await_idler_asleep(void);

/* A thread that was joined is there until the kernel has ended it. */
void await_threads(size_t count);

/* For each look of a wait, 0 before the first: fails where nothing can end it any more. */
void look_for_stall(unsigned *looks);

/* ---- Actors ---------------------------------------------------------------- */

/*
 * A thread of a server, which does what main has it do. Between steps it sleeps, and is ready for
 * the library.
 */
struct actor {
	struct member member;
	plf_server_t *server;
	int local_priority;
	sem_t orders;
	void (*step)(struct actor *);
	uint32_t ordered, done;
	int found; /* by its last step */
	char name;
	uint64_t until_ns;
};

/* It is on its way into the server; it is in. */
void enter(struct actor *a, plf_server_t *server, int local_priority);
void join_in(struct actor *a, plf_server_t *server, int local_priority);

/* A step begins; has ended; has ended with 0; or does not end, and its thread sleeps. */
void order(struct actor *a, void (*step)(struct actor *));
bool is_done(const struct actor *a);
void await(const struct actor *a);
void have(struct actor *a, void (*step)(struct actor *));
void have_ok(struct actor *a, void (*step)(struct actor *));
void await_member_asleep(const struct actor *a);

/* A signal is handled while it sleeps, and it sleeps on. */
void interrupt(const struct actor *a);

/* It sleeps in a wait of the library. */
void fall_asleep(struct actor *a, uint64_t ms);

/* Above main, whatever the manager did. */
void raise_member(const struct member *member);
void raise_above_all(const struct actor *a);

/* It detaches. */
void leave_step(struct actor *a);

/* It ends: whatever its server has; without a word. */
void finish(struct actor *a);
void be_dead(struct actor *a);

#endif
