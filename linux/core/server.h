/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVER_H
#define PLF_SERVER_H

/*
 * Servers on a stock kernel (Asberg, Behnam, Nolte, Bril, OSPERT 2010, 5): when their threads may
 * run, and how priorities alone enforce this.
 *
 * Which server has a CPU is a function of time and of the servers' claims: see budget.h. Each
 * server has a ceiling stack of its own, because its threads may lose the CPU inside a section to
 * less urgent threads of other servers. So each mutex belongs to one server.
 *
 * A thread is *awake* unless it sleeps in a wait that carries the hook, or at its server's gate. A
 * server is *out* while it does not have the CPU. Invariants, while the manager of the CPU sleeps:
 *  S1  If a server is out, its gate is shut. Frame 1 of the gate's slot is then on top of the
 *      server's stack, with a rank above all others. So a thread of the server that wakes up in a
 *      wait is covered, and sleeps at the gate. No other frame is pushed there meanwhile.
 *  S2  If a server is out and has no budget left, its awake threads are parked: they are
 *      SCHED_IDLE. Its sleeping threads are not parked. They run the end of their wait, up to the
 *      gate, at their own priority.
 *  S3  If a server is out and has budget left, its threads are not changed. Either a more urgent
 *      server has the CPU, and that server's priority is above this one's whole band. Or a claim
 *      keeps it out; before that it had no budget, so S2 holds for it until it gets the CPU.
 *  S4  If a thread of a server that is out is awake, the CPU has an idler (server_manager.c), which
 *      is always ready. Its priority is that of the server with the CPU: below this server's
 *      threads, and above all threads of servers that are out. So no thread of S2 or S3 runs. While
 *      no server has the CPU, the idler is at priority 1, except in the last twentieth of that
 *      stretch. In that part, threads of S2 run if no ordinary thread does.
 *
 * A thread notes that it sleeps before it sleeps, and that it is awake before it looks at the gate.
 * The manager shuts the gate before it looks at the threads. Both run on the same CPU. So a thread
 * that was not parked finds the gate shut.
 *
 *  S5  A thread's claim is at least the ceiling among servers of each shared section that it has
 *      open. A server's claim is the highest claim of its threads. A thread claims only while its
 *      server has the CPU, and the manager reads the claims at each decision, on that CPU. So the
 *      manager either finds the claim, or the claim comes later, from the server that got the CPU.
 *  S6  `late` is the last result of plf_budgets_late(). A thread withdraws its claim by a store,
 *      and then loads `late`. So the manager sees the store, or the thread calls the manager.
 *  S7  Under skipping, an outermost section begins before `last_ns` (lazy_global.h, I3). If its
 *      server claims already, it begins at any time, because that time is paid for. Otherwise its
 *      thread sleeps until `round` changes.
 *
 * A thread that waits for another thread's section is awake. It is parked with the holder, because
 * the kernel lends its priority to the holder.
 */
#include "arena.h"
#include "budget.h"

#include <plafond/lazy_global.h>

struct plf_manager;

struct plf_supply {
	struct plf_budget budget;    /* first: its address is also the supply's */
	struct plf_manager *manager; /* NULL: the supply is not in use */
	struct plf_slot *gate;
	uint32_t shut; /* futex: 1: the gate is shut */
	struct plf_slot *members;
	void (*watch)(void *argument, enum plf_server_event event, uint64_t time_ns);
	void *watch_argument;
	/* resources that it shares with other servers of the CPU */
	bool shares;		      /* does its policy allow that? */
	struct plf_lazy_global words; /* only `last_ns` and `late` are used */
	uint32_t claimants;	      /* threads with a claim */
	uint32_t round;		      /* futex: number of its periods */
	uint64_t calls, skips;
};

/*
 * The functions below need the manager's lock. Exceptions are plf_supply_pass(),
 * plf_supply_sleeps(), plf_supply_wakes() and plf_supply_sleeps_till(), which a waiting thread
 * calls.
 *
 * May a thread join at this priority of SCHED_FIFO? ERANGE: the priority is in another server's
 * band, or in the band of global mutexes.
 */
__attribute__((warn_unused_result)) int plf_supply_admits(const struct plf_supply *supply,
							  const struct plf_budgets *budgets,
							  int fifo_priority);

/* The highest priority of the server and its threads. */
int plf_supply_highest(const struct plf_supply *supply);

/* SLOT's thread joins, or leaves. */
void plf_supply_take_in(struct plf_supply *supply, struct plf_slot *slot, int fifo_priority);
void plf_supply_let_go(struct plf_slot *slot);

/*
 * The server loses or gets the CPU: shut or open its gate, and park or restore its threads. Returns
 * how many priorities were changed.
 */
uint32_t plf_supply_shut(struct plf_supply *supply);
uint32_t plf_supply_open(struct plf_supply *supply);

/*
 * Has the server an awake thread; has it no thread? Threads that ended without detaching are
 * forgotten first.
 */
bool plf_supply_is_awake(struct plf_supply *supply);
bool plf_supply_is_empty(struct plf_supply *supply);

/* SLOT's thread is about to sleep, or is awake again. */
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

/* The highest claim of the server's threads; 0: no claim. */
int plf_supply_claim(struct plf_supply *supply);

/* The server has the CPU until end_ns. `late` is the result of plf_budgets_late(). */
void plf_supply_publish(struct plf_supply *supply, uint64_t end_ns, int late);

/* A period of the server begins: wake the threads that wait for it. */
void plf_supply_begin_round(struct plf_supply *supply);

/*
 * As plf_supply_sleeps(), for a thread that may set a kernel timer. A parked thread first waits
 * until its server has the CPU, because a timer that is set under SCHED_IDLE has slack. Under
 * PREEMPT_RT, a kernel thread at priority 1 handles such a timer, and the servers' threads keep it
 * from running.
 */
void plf_supply_sleeps_till(struct plf_slot *slot);

/*
 * Sleep until the server of SLOT has the CPU. SLOT is the calling thread's. Without a server,
 * return at once.
 */
void plf_supply_pass(struct plf_slot *slot);

#endif
