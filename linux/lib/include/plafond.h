/* SPDX-License-Identifier: MIT */
#ifndef PLAFOND_H
#define PLAFOND_H

#define PLF_VERSION_MAJOR 0
#define PLF_VERSION_MINOR 1
#define PLF_VERSION_PATCH 0

/*
 * libplafond: immediate priority ceilings in user space, on a stock kernel.
 *
 * Attach each real-time thread, give each mutex the highest priority of its
 * users as ceiling, and sleep through the waits below. Functions return 0 or an
 * errno value and leave `errno` alone, as pthreads do. Priorities are those of
 * SCHED_FIFO: 1 to 99, larger is more urgent; 0 is SCHED_OTHER. Times are
 * nanoseconds of CLOCK_MONOTONIC, since an unspecified start (clock_gettime(2)).
 *
 * The protocol and its sources: plafond/ceiling_stack.h, and for the kernel module
 * plafond/lazy_ceiling.h. Mutexes, condition variables and semaphores have the
 * semantics of POSIX.1-2008 but where their comments differ.
 *
 * Some functions are inline. All are exported, too, for other languages: their
 * names, arguments and results are those declared here.
 *
 * Not async-signal-safe, except plf_sem_post() and plf_strerror().
 */
#include <plafond/ceiling_stack.h>

#include <errno.h>
#include <semaphore.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library itself compiles the inline functions once more, as symbols. */
#ifndef PLF_INLINE
#define PLF_INLINE static inline
#endif

/*
 * The meaning of an errno value that a function here returned, in a sentence; the
 * system's words for it may mislead ("Invalid cross-device link" for EXDEV). Where
 * they do not, and for values that nothing here returns, those words; for numbers
 * that are no errno value "unknown error". Never NULL, never to be freed.
 */
const char *plf_strerror(int error);

/* ---- Threads ---------------------------------------------------------- */

/* Flags of plf_attach(). */
enum {
	PLF_ROBUST = 0,		   /* the default: exclusion holds even if a holder is suspended */
	PLF_STRICT = 1 << 0,	   /* plain loads and stores; no waiting inside a section */
	PLF_BACKEND_USER = 1 << 1, /* the ceiling stack */
	PLF_BACKEND_SYSCALL = 1 << 2, /* two priority changes a section, as glibc does */
	PLF_BACKEND_MODULE = 1 << 3   /* claims that plafond.ko reads when the CPU may be lost */
};

enum {
	PLF_CPU_PINNED = -1 /* the one CPU to which the caller is pinned already */
};

/*
 * Attach the calling thread: pin it to `cpu`, make it SCHED_FIFO at `priority`
 * (SCHED_OTHER for 0), and give it a place in that CPU's ceiling stack. Returns
 * when no open section covers the caller.
 *
 * The backend is that of the flags, else of the environment variable
 * PLAFOND_BACKEND ("user", "syscall" or "module"), else the one in use, else
 * "module" if /dev/plafond can be opened, else "user". It is one for the process
 * and fixed while any thread is attached. Backend `syscall` accepts
 * PLF_CPU_PINNED also from a thread that is not pinned and leaves it so.
 *
 * EALREADY  attached already
 * EINVAL    priority outside 0 to 99; no such CPU, or not in the caller's
 *           cpuset; PLF_CPU_PINNED but pinned to several; unknown flags or
 *           PLAFOND_BACKEND; PLF_STRICT with priority 0, with backend `syscall`,
 *           or with priority 99 and backend `module`
 * EPERM     no privilege for that priority (see RLIMIT_RTPRIO, CAP_SYS_NICE)
 * ENOTSUP   the caller is SCHED_DEADLINE: it has no priority
 * ENODEV    backend `module` is asked for, but /dev/plafond cannot be opened
 * EEXIST    backend `module`: something else registered the caller there
 * EPROTO    backend `module`: plafond.ko is of another version
 * EBUSY     the process has another backend, or the CPU another strength
 * ENOLCK    PLF_STRICT, but not all memory is locked: call mlockall() first
 * ENOMEM    no memory, or none of the PLF_THREAD_MAX places is free for that CPU
 * EDEADLK   the wait for an open section would close a cycle
 */
int plf_attach(int priority, int cpu, unsigned flags) __attribute__((warn_unused_result));

/*
 * Detach the calling thread; policy and CPU stay. A thread that ends is detached
 * by itself, and its open sections are abandoned: see EOWNERDEAD below.
 *
 * EPERM  not attached
 * EBUSY  a section is open
 */
int plf_detach(void);

/*
 * Places of attached threads. On the ceiling stack, one that was given to a thread of a CPU goes to
 * threads of no other CPU as long as any is attached there.
 */
enum { PLF_THREAD_MAX = 1024 };

/* The backend in use: "user", "syscall", "module", or "none" while no thread is attached. */
const char *plf_backend(void);

/* Counts of the calling thread since it was attached. */
struct plf_stats {
	uint64_t gate_waits;	   /* times it slept because an open section covered it */
	uint64_t waits_in_section; /* waits begun inside a section (robust; strict refuses them) */
	uint64_t skips; /* times it waited for more of its server's budget: see plf_shared_t */
};

/* The counts of the calling thread. EPERM: not attached. */
int plf_get_stats(struct plf_stats *stats);

/* ---- Servers ---------------------------------------------------------- */

/*
 * An idling periodic server: a share of one CPU for some of its threads, on a stock kernel. It has
 * a budget, and has it whole again at the begin of each period. Of the servers of a CPU the most
 * urgent one with budget left has it, and that budget alone burns, whether or not one of its
 * threads is ready. A server's threads run only while it has the CPU. So each sees the same time in
 * every period, whatever the threads of the others do.
 *
 * The budgets are kept by a *manager*, one thread a CPU at PLF_SERVER_MANAGER, which lives as long
 * as a server of the CPU does. A server has a band of priorities of SCHED_FIFO: its own priority,
 * which no thread of it has, and above it those of its threads, up to the next server's. While it
 * has no budget, such threads of it as are ready are SCHED_IDLE; those that sleep in the waits
 * below are left alone, and stop at its gate when they wake up.
 *
 * What must not run is kept out by an *idler*, a thread that uses the time up: at the server's own
 * priority while that has the CPU, with none of its threads ready; and at 1 while no server has it,
 * but for the last twentieth of each such stretch. That is for ordinary threads, and then for those
 * that have no budget. The idler runs only if a thread is ready that has to be kept out.
 *
 * A process that ends takes all of it along. A child of fork() has no servers: its thread goes on
 * at its priority, with no budget that ends.
 */
typedef struct plf_server {
	uint32_t number; /* + 1; 0: not initialised */
	uint32_t epoch;	 /* of fork() */
} plf_server_t;

/*
 * Budget that no thread needs burns. The others are the same, and may share: see plf_shared_t. What
 * they do where a budget may not suffice for a shared section:
 */
enum plf_server_policy {
	PLF_SERVER_IDLING,
	PLF_SERVER_SKIP,    /* it begins with enough budget only, else its thread waits for more */
	PLF_SERVER_OVERRUN, /* it goes on beyond the budget */
	PLF_SERVER_PAYBACK  /* it does, and the next budget is less by that */
};

enum {
	PLF_SERVER_MAX = 64,	 /* servers of a process */
	PLF_SERVER_MANAGER = 98, /* the priority of what keeps their budgets */
	PLF_SERVER_PERIOD_MIN_NS = 100000
};

#define PLF_SERVER_PERIOD_MAX_NS UINT64_C(1000000000000)

/*
 * A server of `cpu`, whose first period begins now. `priority`, from 1 on, is its own, below all of
 * its threads: leave as many free above it as they need. Each period of period_ns,
 * PLF_SERVER_PERIOD_MIN_NS to PLF_SERVER_PERIOD_MAX_NS, has budget_ns, 1 to period_ns. To be called
 * by any thread of the process.
 *
 * EINVAL  no such CPU, or not in the caller's cpuset; a priority, period, budget or policy that is
 *         not as above
 * ERANGE  no band is left: the priority is that of another server of the CPU, or up to that of
 *         one of its threads, or PLF_GLOBAL_BAND - 2 or less is not above it
 * ENOSPC  the servers of the CPU would have more than all of it
 * EPERM   no privilege for PLF_SERVER_MANAGER, or to leave SCHED_IDLE again (CAP_SYS_NICE, or
 *         RLIMIT_RTPRIO and an RLIMIT_NICE of 20)
 * EBUSY   the process has another backend than `user`
 * ENOMEM  no memory, PLF_SERVER_MAX servers, or no place among the PLF_THREAD_MAX, of which each
 *         takes one
 */
int plf_server_init(plf_server_t *server, int cpu, int priority, uint64_t period_ns,
		    uint64_t budget_ns, int policy);

/*
 * Let its periods count from `time_ns` on, which may be over, or to come. Until the next of them
 * begins it has no budget. Any thread may call it. EINVAL: not initialised, or in a parent process.
 */
int plf_server_begin(const plf_server_t *server, uint64_t time_ns);

/*
 * Attach the calling thread, as plf_attach() does, to the server: pin it to its CPU, make it
 * SCHED_FIFO at the server's priority + `local_priority`, PLF_ROBUST, backend `user`. Its base
 * priority, which ceilings are compared with, is the local one, from 1 on. Returns when the server
 * has the CPU and no open section covers the caller. Mutexes and condition variables belong to the
 * server as they belong to a CPU otherwise; semaphores are for all.
 *
 * It leaves by plf_detach(), and keeps that priority then, or by its end. Whether such a thread was
 * moved to another CPU is not noticed.
 *
 * EALREADY  attached already
 * EINVAL    local_priority below 1; the server is not initialised, or a parent process's
 * ERANGE    it is not in the server's band: the next server's priority, or PLF_GLOBAL_BAND, is at
 *           or below the sum
 * EPERM     no privilege for that priority
 * ENOTSUP   the caller is SCHED_DEADLINE: it has no priority
 * EBUSY     the process has another backend
 * ENOMEM    no memory, or no place
 * EDEADLK   the wait for an open section would close a cycle
 */
int plf_server_join(const plf_server_t *server, int local_priority)
	__attribute__((warn_unused_result));

/*
 * End it. The manager of the CPU ends with its last one. EINVAL: not initialised, or a parent
 * process's. EBUSY: it has threads.
 */
int plf_server_destroy(plf_server_t *server);

enum plf_server_event {
	PLF_SERVER_REPLENISHED, /* its budget is whole again */
	PLF_SERVER_DEPLETED,	/* nothing is left of it, or it does not go on any more */
	PLF_SERVER_GETS,	/* it has the CPU from now on */
	PLF_SERVER_LOSES,	/* and not any more */
	PLF_SERVER_OVERRUNS,	/* nothing is left of it, and it goes on to the end of a section */
	PLF_SERVER_PAYS_BACK,	/* the budget that it just got is less, by what it overran */
	PLF_SERVER_KEPT_OUT	/* it would get the CPU, but for the section of another server */
};

/*
 * Have `watch` (NULL: no more) called at each event of the server, with the instant at which it is
 * due, which is exact. By the manager, or a thread that opens, moves or ends a server of the CPU:
 * it must be short, and return; and call nothing that sleeps, nor any function of servers. EINVAL:
 * not initialised, or a parent process's.
 */
int plf_server_watch(const plf_server_t *server,
		     void (*watch)(void *argument, enum plf_server_event event, uint64_t time_ns),
		     void *argument);

/* What servers cost their CPU. */
struct plf_server_stats {
	uint64_t left_ns;	   /* of this server's budget */
	uint64_t decisions;	   /* times the manager of the CPU ran */
	uint64_t manager_ns;	   /* time that it took in all */
	uint64_t priority_changes; /* of threads, by it */
	uint64_t latest_ns;	   /* the longest that it was late */
	uint64_t calls;		   /* of it, by threads of this server that left a shared section */
	uint64_t skips; /* times that one of them waited until there was more budget for one */
};

/* EINVAL: not initialised, or a parent process's. */
int plf_server_get_stats(const plf_server_t *server, struct plf_server_stats *stats);

/* ---- Mutexes ---------------------------------------------------------- */

enum plf_mutex_state {
	PLF_MUTEX_CONSISTENT,
	PLF_MUTEX_INCONSISTENT,	  /* an owner died inside: EOWNERDEAD */
	PLF_MUTEX_NOT_RECOVERABLE /* and no thread repaired it: ENOTRECOVERABLE */
};

/* What a lock by the holder does. */
enum plf_mutex_type {
	PLF_MUTEX_NORMAL,   /* EDEADLK */
	PLF_MUTEX_RECURSIVE /* counts: as many calls of plf_mutex_unlock() leave the section */
};

/* So often a recursive mutex can be locked at a time. */
enum { PLF_MUTEX_LOCKS_MAX = 65536 };

/*
 * A mutex belongs to the CPU whose threads use it: it is bound to the CPU of its first locker. But
 * a *global* one, for threads of several CPUs: see plf_mutex_init_global().
 */
typedef struct plf_mutex {
	uint64_t word;	   /* see plafond/ceiling_stack.h; 0 of a global one */
	uint32_t bound;	   /* CPU + 1, or 0: not used yet; UINT32_MAX: global */
	uint32_t ceiling;  /* 1 to 99; 0 of a global one */
	uint8_t state;	   /* enum plf_mutex_state */
	uint8_t recursive; /* is its type PLF_MUTEX_RECURSIVE? */
	uint16_t again;	   /* of a recursive one: locks by its holder after the first */
	uint32_t spin_ns;  /* of a global one: see plf_mutex_setspin() */
	uint64_t holder;   /* of a global one: its frame, and its TID as a PI futex */
} plf_mutex_t;

#ifdef __cplusplus
#define PLF_CEILING(ceiling) static_cast<uint32_t>(ceiling)
#else
#define PLF_CEILING(ceiling) ((uint32_t)(ceiling))
#endif

/* For an int from 1 to 99: with another every lock gives EINVAL. Every field is named, so that C++
 * and -Wextra accept it. */
/* clang-format off */
#define PLF_MUTEX_INITIALIZER(ceiling) { 0, 0, PLF_CEILING(ceiling), 0, 0, 0, 0, 0 }
#define PLF_MUTEX_RECURSIVE_INITIALIZER(ceiling) { 0, 0, PLF_CEILING(ceiling), 0, 1, 0, 0, 0 }
/* clang-format on */

/* A free mutex of no CPU yet. EINVAL: ceiling outside 1 to 99. */
int plf_mutex_init(plf_mutex_t *mutex, int ceiling);

/* The priorities from here to 99 are kept for threads that wait for a global mutex, or did. */
enum { PLF_GLOBAL_BAND = 50 };

/* clang-format off */
#define PLF_MUTEX_GLOBAL_INITIALIZER { 0, UINT32_MAX, 0, 0, 0, 0, 0, 0 }
/* clang-format on */

/*
 * A free mutex for threads of all CPUs, each attached to one: the multiprocessor priority ceiling
 * protocol. It has no ceiling: a section is above all base priorities of its CPU, and of two
 * sections that of the higher base priority. A thread that finds the mutex held on another CPU
 * sleeps; the most urgent of all that wait is next. It waits, and holds the mutex then, at
 * PLF_GLOBAL_BAND + its base priority, which is also lent to the holder. So base priorities of all
 * threads end below PLF_GLOBAL_BAND. Threads of the holder's CPU wait for its section as for any
 * other; and so does, after its unlock, a thread that waited for the mutex, if a section that
 * covers it was opened on its CPU meanwhile.
 *
 * Such a section does not wait for another, nor opens one of a single CPU. In every backend, in
 * PLF_ROBUST. With `module` a section is above all that run below PLF_GLOBAL_BAND + its base
 * priority, too, whether or not they are attached.
 */
void plf_mutex_init_global(plf_mutex_t *mutex);

/* The longest that a thread may spin for a global mutex, in ns. */
enum { PLF_SPIN_MAX_NS = 1000000 };

/*
 * Let threads that find a global mutex held spin for at most `spin_ns` nanoseconds, 0 (as
 * initialised: sleep at once) to PLF_SPIN_MAX_NS, before they sleep. For sections that are
 * shorter than two system calls. It counts from the next plf_mutex_lock() on, and may be called at
 * any time, by any thread.
 *
 * A thread that spins delays the threads of its CPU as its section does, and longer by this time.
 * It sleeps at once where spinning is in vain: a thread sleeps already for the mutex, or
 * at the holder's section, or the holder is of the same CPU or of none; and, with backend `user`,
 * as soon as a thread of its own CPU waits for it. Threads that spin have no order among
 * each other. plf_mutex_trylock(), and a thread with another section open, do not spin.
 *
 * EINVAL: spin_ns above PLF_SPIN_MAX_NS; not a global mutex.
 */
int plf_mutex_setspin(plf_mutex_t *mutex, uint32_t spin_ns);

/* That time. EINVAL: not a global mutex. */
int plf_mutex_getspin(const plf_mutex_t *mutex, uint32_t *spin_ns);

/*
 * The type, PLF_MUTEX_NORMAL as initialised, of a free mutex, global or not. Set it before any
 * other thread knows the mutex. It costs an ordinary lock nothing, and a lock by the holder opens
 * no section: PLF_DEPTH_MAX counts it not.
 *
 * EINVAL  no such type
 * EBUSY   held
 */
int plf_mutex_settype(plf_mutex_t *mutex, int type);

/* The type: enum plf_mutex_type. */
int plf_mutex_gettype(const plf_mutex_t *mutex);

/* End its use. EBUSY: held. Afterwards the mutex may be initialised again, also for another CPU. */
int plf_mutex_destroy(plf_mutex_t *mutex);

/*
 * Enter the mutex's section, after waiting while one that covers the caller is open, and, for a
 * global mutex, while it is held.
 *
 * EINVAL           the caller's base priority is above the ceiling, or the mutex
 *                  was not initialised; global: the base priority is PLF_GLOBAL_BAND or
 *                  more, or there is no privilege for that above it (RLIMIT_RTPRIO)
 * ENOTSUP          global: the caller is strict, or of a server
 * EPERM            the caller is not attached; backend `syscall`: no privilege for
 *                  the ceiling
 * EAGAIN           PLF_DEPTH_MAX sections are open; recursive: locked PLF_MUTEX_LOCKS_MAX
 *                  times already
 * EDEADLK          held by the caller, and not recursive; or the wait would close a cycle;
 *                  global: held, and the caller has another section open; not global: the
 *                  caller has a global one open
 * EXDEV            the mutex belongs to another CPU or server, or the caller was found
 *                  migrated (the fast path does not look)
 * EOWNERDEAD       locked, but its last owner died inside: repair the data, then
 *                  call plf_mutex_consistent()
 * ENOTRECOVERABLE  unlocked after EOWNERDEAD without plf_mutex_consistent()
 * ENOMEM           the kernel has no memory for the wait
 */
PLF_INLINE int plf_mutex_lock(plf_mutex_t *mutex);

/* As plf_mutex_lock(), and EBUSY where that would sleep. */
PLF_INLINE int plf_mutex_trylock(plf_mutex_t *mutex) __attribute__((warn_unused_result));

/*
 * As plf_mutex_lock(), and ETIMEDOUT at `time_ns` if it sleeps still, for whatever reason. Any
 * value is a time; UINT64_MAX has no end. Where plf_mutex_lock() would not sleep, it locks although
 * the time is over (POSIX.1-2008, pthread_mutex_timedlock()). A signal handler does not end it.
 *
 * After ETIMEDOUT the caller goes on though a section may cover it, as after EBUSY of trylock: it
 * preempts the holder, as a thread without the hook does, until it locks or waits again. Before
 * Linux 5.14 the sleep is one of CLOCK_REALTIME: to set that clock meanwhile moves its end.
 */
PLF_INLINE int plf_mutex_timedlock(plf_mutex_t *mutex, uint64_t time_ns)
	__attribute__((warn_unused_result));

/*
 * Leave the section: last in, first out. If the caller locked a recursive mutex several times, this
 * takes one back, whatever sections were entered since, but for a global one.
 *
 * EPERM    not the section that the caller entered last, or not attached
 * EDEADLK  the wait for a section above would close a cycle; still locked
 * ENOMEM   the kernel has no memory for that wait; still locked
 *
 * After these two a global mutex is free, and only its section open still: call again.
 */
PLF_INLINE int plf_mutex_unlock(plf_mutex_t *mutex);

/* After EOWNERDEAD: the data are repaired. EINVAL: not in that state, or not the holder. */
int plf_mutex_consistent(plf_mutex_t *mutex);

/* The ceiling, 1 to 99. EINVAL: not initialised, or global. */
int plf_mutex_getceiling(const plf_mutex_t *mutex, int *ceiling);

/*
 * Change the ceiling of a free mutex and return the old one (`old` may be NULL).
 * The caller's own priority does not matter; like any lock, it sleeps first while
 * an open section covers the caller.
 *
 * EINVAL  ceiling outside 1 to 99; not initialised, or global
 * EPERM, EXDEV, EAGAIN, EDEADLK, ENOMEM  as plf_mutex_lock()
 * EBUSY   held, or an open section on this CPU has as high a ceiling; PLF_STRICT
 *         with backend `module`: locked before
 */
int plf_mutex_setceiling(plf_mutex_t *mutex, int ceiling, int *old);

/* ---- What servers share ----------------------------------------------- */

enum { PLF_SHARED_SERVERS_MAX = 8 };

/* One of the servers that share a resource. */
struct plf_share {
	uint32_t stack; /* the server's; 0: of none */
	plf_mutex_t mutex;
};

/*
 * A resource of several servers of one CPU, each with a policy for that (Asberg et al., OSPERT
 * 2010, 5; van den Heuvel et al., OSPERT 2010, 8, Sections VI to VIII). Its sections are those of a
 * mutex of the caller's server; and while one is open, no server whose priority is at or below that
 * of the most urgent user gets the CPU, for the longest section X at most. X is the longest that
 * the server gave in plf_server_share().
 *
 * PLF_SERVER_OVERRUN: a section keeps out all other threads of its server. Where the budget ends
 * inside, the server goes on until the outermost section ends, for X and 1 ns more at most, or
 * until its next period. With PLF_SERVER_PAYBACK the next budget is less by that. PLF_SERVER_SKIP:
 * an outermost section begins only where more than X of the budget is left; else the caller waits
 * for the next budget, and looks again. X counts what more urgent threads of the server take
 * meanwhile.
 *
 * A section that does not keep to X ends no other server's time: it is suspended with its server. A
 * thread of another one that finds it open sleeps until its own next budget, and looks again.
 */
typedef struct plf_shared {
	uint32_t holder;  /* a frame; 0: free */
	uint32_t before;  /* what the holder claimed before */
	uint32_t ceiling; /* the priority of the most urgent server that uses it */
	uint32_t bound;	  /* CPU + 1; 0: none yet */
	struct plf_share share[PLF_SHARED_SERVERS_MAX];
} plf_shared_t;

/* Free, and of no server yet. */
void plf_shared_init(plf_shared_t *shared);

/* End its use. EBUSY: held. */
int plf_shared_destroy(plf_shared_t *shared);

/*
 * The server's threads use it, in sections of at most hold_ns, of which more urgent threads of the
 * server may take some under PLF_SERVER_SKIP: those above local_ceiling, the highest local priority
 * of its users in the server. Before any thread locks it, and by one thread at a time.
 *
 * EINVAL   the server is not initialised, or a parent process's; local_ceiling outside 1 to 99;
 *          hold_ns 0, or above PLF_SERVER_PERIOD_MAX_NS
 * ENOTSUP  the server's policy is PLF_SERVER_IDLING
 * ERANGE   under PLF_SERVER_SKIP: hold_ns is the budget or more
 * EXDEV    another server of it is of another CPU
 * ENOMEM   PLF_SHARED_SERVERS_MAX servers use it
 */
int plf_server_share(const plf_server_t *server, plf_shared_t *shared, int local_ceiling,
		     uint64_t hold_ns);

/*
 * Enter its section. Errors as plf_mutex_lock(), and:
 *
 * EXDEV       the caller's server does not use it, or it is in none
 * EOWNERDEAD  locked, but its last owner died inside: repair the data. Unlocked, it is as good as
 *             any other
 */
int plf_shared_lock(plf_shared_t *shared) __attribute__((warn_unused_result));

/* Leave it: last in, first out, mutexes included. Errors as plf_mutex_unlock(). */
int plf_shared_unlock(plf_shared_t *shared);

/* ---- Waits, all with the wake hook ------------------------------------ */

/*
 * Each returns only when no open section covers the caller. Begun inside a
 * section they give EBUSY in strict and are counted in robust. Besides their
 * own errors: EPERM not attached; EXDEV the caller was migrated; EDEADLK the
 * hook's wait would close a cycle; ENOMEM the kernel has no memory for it. With
 * the last three the wait itself is over (a semaphore's unit is taken), but the
 * ceiling rule was not kept.
 */

/* The wake hook alone, for a thread that slept in a call not listed here. */
PLF_INLINE int plf_wake_hook(void);

/* Sleep until `time_ns`; a time that is over does not sleep. EINTR: a signal handler ran. */
int plf_sleep_until(uint64_t time_ns);

/* CLOCK_MONOTONIC now, in nanoseconds. */
uint64_t plf_now(void);

struct plf_periodic {
	uint64_t next_ns; /* the next release */
	uint64_t period_ns;
	uint64_t missed;      /* releases that found the caller still at work */
	uint32_t interrupted; /* in its wait: releases that go by now are not missed */
};

/* First release at `first_ns`, then every `period_ns`. EINVAL: period_ns == 0. */
int plf_periodic_init(struct plf_periodic *periodic, uint64_t first_ns, uint64_t period_ns);

/*
 * Sleep until the next release. Releases that went by meanwhile are counted and
 * skipped. EINTR: a signal handler ran; call again, nothing is lost.
 */
int plf_periodic_wait(struct plf_periodic *periodic);

/*
 * A condition variable: signal wakes the waiter of the highest base priority, the
 * longest waiting among equals.
 */
typedef struct plf_cond {
	plf_mutex_t queue_lock;
	uint32_t first; /* thread slot + 1, by priority */
	uint32_t epoch; /* of fork(): a child inherits no waiters */
} plf_cond_t;

/* clang-format off */
#define PLF_COND_INITIALIZER { PLF_MUTEX_INITIALIZER(PLF_PRIORITY_MAX), 0, 0 }
/* clang-format on */

/* As PLF_COND_INITIALIZER. */
void plf_cond_init(plf_cond_t *cond);

/* EBUSY: a thread waits, or was found migrated (EXDEV) when it left and is in the queue still. */
int plf_cond_destroy(plf_cond_t *cond);

/*
 * Leave `mutex`, sleep, enter it again. Not a cancellation point; may return
 * early without a signal. EPERM: `mutex` is not the section entered last, or the caller locked it
 * several times. EINVAL: it is global.
 * The errors of the hook: `mutex` is not locked, and the caller may be in the queue still.
 * The errors of plf_mutex_lock() on the way back (EOWNERDEAD: it is locked).
 */
PLF_INLINE int plf_cond_wait(plf_cond_t *cond, plf_mutex_t *mutex);

/* And ETIMEDOUT at `time_ns`; the mutex is locked then too. */
PLF_INLINE int plf_cond_timedwait(plf_cond_t *cond, plf_mutex_t *mutex, uint64_t time_ns);

/*
 * Wake one waiter, or all; with none, nothing.
 *
 * EPERM: not attached (other threads and signal handlers post a semaphore). All of
 * a condition's calls enter a short section of the highest ceiling: its errors.
 */
int plf_cond_signal(plf_cond_t *cond);
int plf_cond_broadcast(plf_cond_t *cond);

/* A POSIX semaphore whose waits carry the hook. Any thread may post, attached or not. */
typedef struct plf_sem {
	sem_t sem;
} plf_sem_t;

/* For the threads of this process. EINVAL: value above SEM_VALUE_MAX. */
int plf_sem_init(plf_sem_t *sem, unsigned value);
/* No error: no thread may wait. */
int plf_sem_destroy(plf_sem_t *sem);
/* Take one unit, after sleeping while there is none. EINTR: a signal handler ran. */
int plf_sem_wait(plf_sem_t *sem);
/* Take one unit without sleeping for it. EAGAIN: the value is 0. */
int plf_sem_trywait(plf_sem_t *sem);
/* As plf_sem_wait(), and ETIMEDOUT at `time_ns`. */
int plf_sem_timedwait(plf_sem_t *sem, uint64_t time_ns);
/* Give one unit. EOVERFLOW: the value is SEM_VALUE_MAX. */
int plf_sem_post(plf_sem_t *sem);

#ifdef __cplusplus
}
#endif

#if defined(__SANITIZE_THREAD__)
#include <plafond/tsan.h>
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include <plafond/tsan.h>
#endif
#endif
#ifndef PLAFOND_TSAN_H
#include <plafond/fast.h>
#endif

#endif
