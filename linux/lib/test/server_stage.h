/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_SERVER_STAGE_H
#define PLF_TEST_SERVER_STAGE_H

/*
 * Two servers of CPU 0 and their threads, in time that the test makes. Main is above the bands of
 * all servers. After each step of main, the manager has done all that was due. So the kernel's
 * priorities of the threads, the events and the counts are known exactly, on any machine.
 */
#include "made_time.h"
#include "team.h"

#include <semaphore.h>

#define MS UINT64_C(1000000)

enum { MAIN = 60, FIRST = 20, SECOND = 10, PERIOD = 40, FIRST_MS = 16, SECOND_MS = 20 };

/* `first` is the more urgent server. The periods of both count from begin_ns. */
extern plf_server_t first, second;
extern uint64_t begin_ns;

/* Setup of each test: the clock is before begin_ns. */
int be_main(void **state);

#define step_test(f) cmocka_unit_test_setup(f, be_main)

/*
 * Open a server and record its events, with that name; record an event; check the events since the
 * last check.
 */
void open_server(plf_server_t *server, const char *name, int priority, uint64_t ms, int policy);
void write_down(void *name, enum plf_server_event event, uint64_t time_ns);
void expect_events(const char *expected);

/* The first server has just got the CPU. */
void open_two(int policy);

/*
 * The second server gets its budget 25 ms later. It has the CPU until the first server comes, and
 * after it.
 */
void open_apart(int policy);

void close_two(void);

struct plf_server_stats stats_of(const plf_server_t *server);

/* The instant `ms` after begin_ns; go there. */
uint64_t at(uint64_t ms);
void be_at(uint64_t ms);

/* ---- The state in the kernel ------------------------------------------------ */

extern int manager, idler;

/* Find the manager and the idler. No threads but these and main may exist. */
void find_manager(void);

/* 0 stands for SCHED_IDLE. */
void expect_priority(int tid, int priority);

/* The idler uses the time up, even after it has looked at the clock. */
void expect_idler(int priority);

void await_idler_asleep(void);

/* Wait for the threads' number, because a joined thread exists until the kernel has ended it. */
void await_threads(size_t count);

/*
 * Call this for each look of a wait; *LOOKS is 0 before the first. It fails if nothing can end the
 * wait any more.
 */
void look_for_stall(unsigned *looks);

/* ---- Actors ---------------------------------------------------------------- */

/*
 * A thread of a server, which takes the steps that main orders. Between steps it sleeps, in a wait
 * that the library does not know.
 */
struct actor {
	struct member member;
	plf_server_t *server;
	int local_priority;
	sem_t orders;
	void (*step)(struct actor *);
	uint32_t ordered, done;
	int found; /* result of its last step */
	char name;
	uint64_t until_ns;
};

/* The thread begins to join the server; it has joined. */
void enter(struct actor *a, plf_server_t *server, int local_priority);
void join_in(struct actor *a, plf_server_t *server, int local_priority);

/*
 * Order a step; check or wait for its end; order it and wait for its end, perhaps with 0; or the
 * thread sleeps in the step.
 */
void order(struct actor *a, void (*step)(struct actor *));
bool is_done(const struct actor *a);
void await(const struct actor *a);
void have(struct actor *a, void (*step)(struct actor *));
void have_ok(struct actor *a, void (*step)(struct actor *));
void await_member_asleep(const struct actor *a);

/* The thread handles a signal in its sleep, and sleeps on. */
void interrupt(const struct actor *a);

/* The thread sleeps in a wait of the library until that time. */
void fall_asleep(struct actor *a, uint64_t ms);

/* Raise the thread above main, whatever the manager did. */
void raise_member(const struct member *member);
void raise_above_all(const struct actor *a);

/* A step: detach. */
void leave_step(struct actor *a);

/* End the thread, whatever its server has; or end it without detaching. */
void finish(struct actor *a);
void be_dead(struct actor *a);

#endif
