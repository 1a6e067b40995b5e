/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVER_H
#define PLF_SERVER_H

/*
 * Servers on a stock kernel (Asberg, Behnam, Nolte, Bril, OSPERT 2010, 5): what their threads may
 * do, and how it is kept by priorities alone.
 *
 * Which server has a CPU is a function of time, and of what servers claim: see budget.h. Each
 * server has a ceiling stack of its own, for its threads may lose the CPU to others that are not
 * more urgent, and in the midst of a section; so the mutexes of a stack are those of a server.
 *
 * A thread is *awake* unless it sleeps in a wait that carries the hook, or at its server's gate.
 * Invariants, while the manager of the CPU sleeps (a server is *out* if it has not the CPU):
 *  S1  of a server that is out the gate is shut, and frame 1 of its gate's slot lies on top of its
 *      stack, with a rank above all: so each thread of it that wakes up in a wait finds itself
 *      covered, and sleeps at the gate. No other frame is pushed there meanwhile;
 *  S2  of a server that is out with no budget left the threads that are awake are parked:
 *      SCHED_IDLE. All that sleep are not; they run the end of their wait, up to the gate, at their
 *      own priority;
 *  S3  of a server that is out with budget left no thread is changed: either a more urgent server
 * has the CPU, and the priority of that one is above all of its band; or it is kept out by a claim,
 *      before which it had none left, so that S2 holds for it until it gets the CPU;
 *  S4  if a thread of a server that is out is awake, the CPU has an idler (server_manager.c) that
 *      is always ready: at the priority of the server that has the CPU, which is below that one's
 *      threads and above all that are out; so none of S2 and S3 runs. While no server has the CPU
 *      it is at 1, and ready for all but the last twentieth of that stretch: those of S2 run then
 *      if no ordinary thread does.
 *
 * A thread says that it sleeps before it does, and that it is awake before it looks at the gate;
 * the manager shuts the gate, and looks then. Both are on one CPU. So a thread that was not parked
 * finds the gate shut.
 *
 * S5  a thread's claim is at least the ceiling among servers of each section that it has open and
 *     that servers share; a server's is the highest of its threads'. A thread claims only while its
 *     server has the CPU, and the manager looks at claims at each decision, on that CPU: so it
 * finds what is claimed, or the claim comes after the decision and of the server that it was for;
 *  S6 `late` is what plf_budgets_late() returned last. A thread withdraws its claim by a store, and
 *     then loads `late`: the manager sees the store, or the thread calls the manager;
 *  S7 under skipping an outermost section begins before `last_ns` (lazy_global.h, I3), unless its
 *     server claims already: that was paid for. Else its thread sleeps until `round` is another.
 *
 * A thread that waits for another's section is awake: it is parked as the holder is, for the kernel
 * lends the holder what priority it has.
 */
#include "arena.h"
#include "budget.h"

#include <plafond/lazy_global.h>

struct plf_manager;

struct plf_supply {
	struct plf_budget budget;    /* first: a supply is found from its budget */
	struct plf_manager *manager; /* NULL: it is no server's */
	struct plf_slot *gate;
	uint32_t shut; /* futex: 1: the threads stop here */
	struct plf_slot *members;
	void (*watch)(void *argument, enum plf_server_event event, uint64_t time_ns);
	void *watch_argument;
	/* what it shares with other servers of the CPU */
	bool shares;		      /* may it? */
	struct plf_lazy_global words; /* of these `last_ns` and `late` */
	uint32_t claimants;	      /* threads */
	uint32_t round;		      /* futex: counts its periods */
	uint64_t calls, skips;
};

/*
 * All of the rest but plf_supply_pass(): under the manager's lock.
 *
 * May a thread of that priority of SCHED_FIFO come? ERANGE: it is in another server's band, or in
 * that of global mutexes.
 */
__attribute__((warn_unused_result)) int plf_supply_admits(const struct plf_supply *supply,
							  const struct plf_budgets *budgets,
							  int fifo_priority);

/* The priority below which all servers of the CPU that are less urgent, and their threads, stay. */
int plf_supply_highest(const struct plf_supply *supply);

/* SLOT's thread comes, or goes. */
void plf_supply_take_in(struct plf_supply *supply, struct plf_slot *slot, int fifo_priority);
void plf_supply_let_go(struct plf_slot *slot);

/* It is out, or has the CPU: make it so. Returns how many priorities were changed. */
uint32_t plf_supply_shut(struct plf_supply *supply);
uint32_t plf_supply_open(struct plf_supply *supply);

/* Has it a thread that is awake; no thread? Those that ended without a word are forgotten. */
bool plf_supply_is_awake(struct plf_supply *supply);
bool plf_supply_is_empty(struct plf_supply *supply);

/* SLOT's thread sleeps, and is awake again. */
static inline void plf_supply_sleeps(struct plf_slot *slot)
{
	plf_store32(&slot->asleep, 1);
	plf_barrier();
}

static inline void plf_supply_wakes(struct plf_slot *slot)
{
	plf_store32(&slot->asleep, 0);
	plf_barrier();
}

/* What its threads claim. */
int plf_supply_claim(struct plf_supply *supply);

/* It has the CPU until end_ns, or not (0), and must call as plf_budgets_late() says. */
void plf_supply_publish(struct plf_supply *supply, uint64_t end_ns, int late);

/* A period of it begins. */
void plf_supply_begin_round(struct plf_supply *supply);

/*
 * The same, of a thread that may have the kernel set a timer: a parked one first waits until its
 * server has the CPU. A timer that is set in SCHED_IDLE has slack, and under PREEMPT_RT a thread of
 * the kernel at priority 1 looks at it, which the servers' threads keep from running.
 */
void plf_supply_sleeps_till(struct plf_slot *slot);

/* Sleep until the server of SLOT, the calling thread's, has the CPU; at once if it has none. */
void plf_supply_pass(struct plf_slot *slot);

#endif
