/* SPDX-License-Identifier: MIT */
#ifndef PLAFOND_H
#define PLAFOND_H

#define PLF_VERSION_MAJOR 0
#define PLF_VERSION_MINOR 1
#define PLF_VERSION_PATCH 0

/*
 * libplafond: immediate priority ceilings in user space, on a stock kernel.
 *
 * Attach each real-time thread. Give each mutex the highest priority of its users as ceiling. Sleep
 * only in the waits below. Functions return 0 or an errno value and leave `errno` alone, as
 * pthreads do. Priorities are of SCHED_FIFO: 1 to 99, larger is more urgent; 0 is
 * SCHED_OTHER. Times are nanoseconds of CLOCK_MONOTONIC, since an unspecified start
 * (clock_gettime(2)).
 *
 * The protocol and its sources: plafond/ceiling_stack.h, and for the kernel module
 * plafond/lazy_ceiling.h. Mutexes, condition variables and semaphores have the semantics of
 * POSIX.1-2008, except if their comments differ.
 *
 * Some functions are inline. All functions are also exported for other languages, with the names,
 * arguments and results that are declared here.
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

/* The library compiles the inline functions once more, as symbols. */
#ifndef PLF_INLINE
#define PLF_INLINE static inline
#endif

/*
 * The meaning, in a sentence, of an errno value that a function here returned. The system's words
 * may mislead ("Invalid cross-device link" for EXDEV). If they do not, or if no function here
 * returns the value, the result is the system's words. If the number is no errno value, it is
 * "unknown error". The result is never NULL, and must not be freed.
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
 * Attach the calling thread: pin it to `cpu`, make it SCHED_FIFO at `priority` (SCHED_OTHER for 0),
 * and give it a place in that CPU's ceiling stack. Returns when no open section covers the caller.
 *
 * The flags may choose the backend. Otherwise it is that of the environment variable
 * PLAFOND_BACKEND ("user", "syscall" or "module"), else the backend in use, else "module" if
 * /dev/plafond can be opened, else "user". A process has one backend, which is fixed while any
 * thread is attached. With backend `syscall`, PLF_CPU_PINNED is also for a thread that is not
 * pinned, and leaves it so.
 *
 * EALREADY  attached already
 * EINVAL    priority outside 0 to 99; no such CPU, or not in the caller's cpuset; PLF_CPU_PINNED
 *           but pinned to several; unknown flags or PLAFOND_BACKEND; PLF_STRICT with priority 0,
 *           with backend `syscall`, or with priority 99 and backend `module`
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
 * Detach the calling thread; its policy and CPU stay. A thread that ends is detached, and its open
 * sections are abandoned: see EOWNERDEAD below.
 *
 * EPERM  not attached
 * EBUSY  a section is open
 */
int plf_detach(void);

/*
 * Number of places for attached threads. On the ceiling stack, a place that served a CPU serves
 * another CPU only when no thread of the first CPU is attached.
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
 * An idling periodic server: a share of a CPU for some threads, on a stock kernel. At the
 * begin of each period, a server has its whole budget. The most urgent server of a CPU that has
 * budget left has the CPU. Only its budget burns, even if none of its threads is ready. A server's
 * threads run only while the server has the CPU. So they see the same time in every period,
 * whatever the threads of other servers do.
 *
 * A *manager* keeps the budgets. It is a thread at PLF_SERVER_MANAGER, one for each CPU, and lives
 * while the CPU has a server. A server has a band of priorities of SCHED_FIFO. The lowest is the
 * server's priority, which none of its threads has. Its threads' priorities follow, up to the next
 * server's priority. While a server has no budget, its ready threads are SCHED_IDLE. Threads that
 * sleep in the waits below keep their priorities, and stop at the server's gate when they wake up.
 *
 * An *idler*, a thread that uses up time, keeps out threads that must not run. It runs only if such
 * a thread is ready. While a server has the CPU, and none of its threads is ready, the idler runs
 * at the server's priority. While no server has the CPU, it runs at priority 1, except in the last
 * twentieth of each such stretch. That time is for ordinary threads, and then for threads without
 * budget.
 *
 * A process that ends takes its servers along. A child of fork() has no servers: its thread keeps
 * its priority, and has no budget that ends.
 */
typedef struct plf_server {
	uint32_t number; /* + 1; 0: not initialised */
	uint32_t epoch;	 /* counts fork(), because a child has no servers */
} plf_server_t;

/*
 * A server's policy for sections that servers share (plf_shared_t), if the budget may not suffice.
 * A server of PLF_SERVER_IDLING shares nothing. Under every policy, unused budget burns.
 */
enum plf_server_policy {
	PLF_SERVER_IDLING,
	PLF_SERVER_SKIP,    /* begin only with enough budget; until then the thread waits */
	PLF_SERVER_OVERRUN, /* go on beyond the budget */
	PLF_SERVER_PAYBACK  /* the same, and reduce the next budget by that time */
};

enum {
	PLF_SERVER_MAX = 64,	 /* servers of a process */
	PLF_SERVER_MANAGER = 98, /* priority of the managers */
	PLF_SERVER_PERIOD_MIN_NS = 100000
};

#define PLF_SERVER_PERIOD_MAX_NS UINT64_C(1000000000000)

/*
 * Start a server of `cpu`; its first period begins now. `priority`, from 1 on, is the server's.
 * Leave as many priorities free above it as its threads need. Each period of period_ns,
 * PLF_SERVER_PERIOD_MIN_NS to PLF_SERVER_PERIOD_MAX_NS, has budget_ns, 1 to period_ns. Any thread
 * of the process may call this.
 *
 * EINVAL  no such CPU, or not in the caller's cpuset; priority, period, budget or policy out of
 *         range
 * ERANGE  no band is left: another server of the CPU has that priority, a less urgent server has a
 *         thread there or above, or the priority is PLF_GLOBAL_BAND - 1
 * ENOSPC  the servers of the CPU would have more than all of it
 * EPERM   no privilege for PLF_SERVER_MANAGER, or to leave SCHED_IDLE again (CAP_SYS_NICE, or
 *         RLIMIT_RTPRIO and an RLIMIT_NICE of 20)
 * EBUSY   the process has another backend than `user`
 * ENOMEM  no memory, PLF_SERVER_MAX servers, or no place among the PLF_THREAD_MAX, because each
 *         server takes a place
 */
int plf_server_init(plf_server_t *server, int cpu, int priority, uint64_t period_ns,
		    uint64_t budget_ns, int policy);

/*
 * Count the server's periods from `time_ns` on, which may be past or to come. Until the next of
 * them begins, the server has no budget. Any thread may call this. EINVAL: not initialised, or a
 * parent process's.
 */
int plf_server_begin(const plf_server_t *server, uint64_t time_ns);

/*
 * Attach the calling thread, as plf_attach() does, to the server. It is pinned to the server's CPU,
 * and SCHED_FIFO at the server's priority + `local_priority`, with PLF_ROBUST and backend `user`.
 * Its base priority, with which ceilings are compared, is the local priority, from 1 on. Returns
 * when the server has the CPU and no open section covers the caller. Mutexes and condition
 * variables belong to a server as they otherwise belong to a CPU. Any thread may use semaphores.
 *
 * The thread leaves the server by plf_detach(), and keeps its priority then; or it ends. If it is
 * moved to another CPU, its calls do not notice.
 *
 * EALREADY  attached already
 * EINVAL    local_priority below 1; the server is not initialised, or a parent process's
 * ERANGE    the sum is not in the server's band: it reaches the next server's priority, or
 *           PLF_GLOBAL_BAND
 * EPERM     no privilege for that priority
 * ENOTSUP   the caller is SCHED_DEADLINE: it has no priority
 * EBUSY     the process has another backend
 * ENOMEM    no memory, or no place
 * EDEADLK   the wait for an open section would close a cycle
 */
int plf_server_join(const plf_server_t *server, int local_priority)
	__attribute__((warn_unused_result));

/*
 * End the server. The manager of the CPU ends with the last server. EINVAL: not initialised, or a
 * parent process's. EBUSY: it has threads.
 */
int plf_server_destroy(plf_server_t *server);

enum plf_server_event {
	PLF_SERVER_REPLENISHED, /* its budget is whole again */
	PLF_SERVER_DEPLETED,	/* its budget or its overrun has ended */
	PLF_SERVER_GETS,	/* it has the CPU from now on */
	PLF_SERVER_LOSES,	/* it has lost the CPU */
	PLF_SERVER_OVERRUNS,	/* its budget has ended, and it goes on to the end of a section */
	PLF_SERVER_PAYS_BACK,	/* its new budget is reduced by its overrun */
	PLF_SERVER_KEPT_OUT	/* the section of another server keeps it from the CPU */
};

/*
 * Have `watch` (NULL: no function) called at each event of the server, with the exact instant at
 * which the event is due. The caller of `watch` is the manager, or a thread that opens, moves or
 * ends a server of the CPU. So `watch` must be short and return; it must not sleep, nor call
 * functions of servers. EINVAL: not initialised, or a parent process's.
 */
int plf_server_watch(const plf_server_t *server,
		     void (*watch)(void *argument, enum plf_server_event event, uint64_t time_ns),
		     void *argument);

/* The costs of servers. The fields between `left_ns` and `calls` are of the CPU's manager. */
struct plf_server_stats {
	uint64_t left_ns;	   /* of this server's budget */
	uint64_t decisions;	   /* times the manager ran */
	uint64_t manager_ns;	   /* the time that took */
	uint64_t priority_changes; /* made by the manager */
	uint64_t latest_ns;	   /* the longest that the manager was late */
	uint64_t calls; /* of the manager, by this server's threads that left a shared section */
	uint64_t skips; /* times its threads waited for more budget before such a section */
};

/* EINVAL: not initialised, or a parent process's. */
int plf_server_get_stats(const plf_server_t *server, struct plf_server_stats *stats);

/* ---- Mutexes ---------------------------------------------------------- */

enum plf_mutex_state {
	PLF_MUTEX_CONSISTENT,
	PLF_MUTEX_INCONSISTENT,	  /* an owner died inside: EOWNERDEAD */
	PLF_MUTEX_NOT_RECOVERABLE /* no thread repaired the data: ENOTRECOVERABLE */
};

/* The effect of a lock by the holder. */
enum plf_mutex_type {
	PLF_MUTEX_NORMAL,   /* it gives EDEADLK */
	PLF_MUTEX_RECURSIVE /* counts: as many calls of plf_mutex_unlock() leave the section */
};

/* Most locks of a recursive mutex by its holder at a time. */
enum { PLF_MUTEX_LOCKS_MAX = 65536 };

/*
 * A mutex serves threads of one CPU: it is bound to the CPU of its first locker. A *global* mutex
 * serves threads of several CPUs: see plf_mutex_init_global().
 */
typedef struct plf_mutex {
	uint64_t word;	   /* see plafond/ceiling_stack.h; 0 if global */
	uint32_t bound;	   /* CPU + 1, or 0: not used yet; UINT32_MAX: global */
	uint32_t ceiling;  /* 1 to 99; 0 if global */
	uint8_t state;	   /* enum plf_mutex_state */
	uint8_t recursive; /* is its type PLF_MUTEX_RECURSIVE? */
	uint16_t again;	   /* recursive: locks by its holder after the first */
	uint32_t spin_ns;  /* global: see plf_mutex_setspin() */
	uint64_t holder;   /* global: its holder's frame, and its TID as a PI futex */
} plf_mutex_t;

#ifdef __cplusplus
#define PLF_CEILING(ceiling) static_cast<uint32_t>(ceiling)
#else
#define PLF_CEILING(ceiling) ((uint32_t)(ceiling))
#endif

/*
 * `ceiling` is an int from 1 to 99. With another, every lock gives EINVAL. Every field is named, so
 * that C++ and -Wextra accept it.
 */
/* clang-format off */
#define PLF_MUTEX_INITIALIZER(ceiling) { 0, 0, PLF_CEILING(ceiling), 0, 0, 0, 0, 0 }
#define PLF_MUTEX_RECURSIVE_INITIALIZER(ceiling) { 0, 0, PLF_CEILING(ceiling), 0, 1, 0, 0, 0 }
/* clang-format on */

/* Make the mutex free, and bound to no CPU. EINVAL: ceiling outside 1 to 99. */
int plf_mutex_init(plf_mutex_t *mutex, int ceiling);

/* Priorities from here to 99 are for threads that wait, or have waited, for a global mutex. */
enum { PLF_GLOBAL_BAND = 50 };

/* clang-format off */
#define PLF_MUTEX_GLOBAL_INITIALIZER { 0, UINT32_MAX, 0, 0, 0, 0, 0, 0 }
/* clang-format on */

/*
 * Make the mutex free and global: for threads of all CPUs, each attached to a CPU. This is the
 * multiprocessor priority ceiling protocol. The mutex has no ceiling, because a section is above
 * all base priorities of its CPU. Of two such sections, that of the higher base priority is above
 * the other.
 *
 * A thread that finds the mutex held on another CPU sleeps; the most urgent waiter is next. A
 * waiter waits, and then holds the mutex, at PLF_GLOBAL_BAND + its base priority. The holder is
 * lent that priority, too. So base priorities of all threads must be below PLF_GLOBAL_BAND. Threads
 * of the holder's CPU wait for its section as for any other. So does a thread that has waited for
 * the mutex, after its unlock, if a section that covers it was opened on its CPU meanwhile.
 *
 * A thread inside such a section does not wait for another global mutex, and enters no section of
 * its CPU alone. All backends have global mutexes, in PLF_ROBUST. With `module`, a section is also
 * above threads that are not attached, if they run below PLF_GLOBAL_BAND + its base priority.
 */
void plf_mutex_init_global(plf_mutex_t *mutex);

/* The longest that a thread may spin for a global mutex, in ns. */
enum { PLF_SPIN_MAX_NS = 1000000 };

/*
 * Let a thread that finds a global mutex held spin for at most `spin_ns` nanoseconds before it
 * sleeps: 0 (the initial value: sleep at once) to PLF_SPIN_MAX_NS. This is for sections that are
 * shorter than two system calls. It counts from the next plf_mutex_lock() on. Any thread may call
 * this at any time.
 *
 * A thread that spins delays the threads of its CPU as its section does, and longer by this time.
 * It sleeps at once if spinning is in vain: a thread sleeps already for the mutex or at the
 * holder's section, or the holder is of the same CPU, or both are of none. With backend `user`, it
 * also sleeps as soon as a thread of its own CPU waits for it. Threads that spin have no order
 * among each other. plf_mutex_trylock(), and a thread with another section open, do not spin.
 *
 * EINVAL: spin_ns above PLF_SPIN_MAX_NS; not a global mutex.
 */
int plf_mutex_setspin(plf_mutex_t *mutex, uint32_t spin_ns);

/* Read the time of plf_mutex_setspin(). EINVAL: not a global mutex. */
int plf_mutex_getspin(const plf_mutex_t *mutex, uint32_t *spin_ns);

/*
 * Set the type of a free mutex, global or not. It is PLF_MUTEX_NORMAL at first. Set it before any
 * other thread knows the mutex. The type costs an ordinary lock nothing. A lock by the holder opens
 * no section, and does not count towards PLF_DEPTH_MAX.
 *
 * EINVAL  no such type
 * EBUSY   held
 */
int plf_mutex_settype(plf_mutex_t *mutex, int type);

/* The type: enum plf_mutex_type. */
int plf_mutex_gettype(const plf_mutex_t *mutex);

/* End the use of the mutex. EBUSY: held. It may be initialised again, also for another CPU. */
int plf_mutex_destroy(plf_mutex_t *mutex);

/*
 * Enter the mutex's section. Wait first while an open section covers the caller, and, if the mutex
 * is global, while it is held.
 *
 * EINVAL           the caller's base priority is above the ceiling, or the mutex was not
 *                  initialised; global: the base priority is PLF_GLOBAL_BAND or more, or there is
 *                  no privilege for PLF_GLOBAL_BAND + the base priority (RLIMIT_RTPRIO)
 * ENOTSUP          global: the caller is strict, or of a server
 * EPERM            the caller is not attached; backend `syscall`: no privilege for the ceiling
 * EAGAIN           PLF_DEPTH_MAX sections are open; recursive: locked PLF_MUTEX_LOCKS_MAX times
 *                  already
 * EDEADLK          held by the caller, and not recursive; or the wait would close a cycle; global:
 *                  held, and the caller has another section open; not global: the caller has a
 *                  global section open
 * EXDEV            the mutex belongs to another CPU or server, or the caller was found migrated
 *                  (the fast path does not look)
 * EOWNERDEAD       locked, but its last owner died inside: repair the data, then call
 *                  plf_mutex_consistent()
 * ENOTRECOVERABLE  unlocked after EOWNERDEAD without plf_mutex_consistent()
 * ENOMEM           the kernel has no memory for the wait
 */
PLF_INLINE int plf_mutex_lock(plf_mutex_t *mutex);

/* As plf_mutex_lock(), but EBUSY instead of a sleep. */
PLF_INLINE int plf_mutex_trylock(plf_mutex_t *mutex) __attribute__((warn_unused_result));

/*
 * As plf_mutex_lock(), but ETIMEDOUT if the caller still sleeps at `time_ns`, for whatever reason.
 * Any value is a time; UINT64_MAX has no end. If plf_mutex_lock() would not sleep, this locks even
 * if the time is over (POSIX.1-2008, pthread_mutex_timedlock()). A signal handler does not end the
 * sleep.
 *
 * After ETIMEDOUT, as after EBUSY of trylock, the caller goes on even if a section covers it. It
 * preempts the holder, like a thread without the hook, until it locks or waits again. Before Linux
 * 5.14, the sleep uses CLOCK_REALTIME, so setting that clock meanwhile moves its end.
 */
PLF_INLINE int plf_mutex_timedlock(plf_mutex_t *mutex, uint64_t time_ns)
	__attribute__((warn_unused_result));

/*
 * Leave the section: last in, first out. If the caller locked a recursive mutex several times, undo
 * one lock. Sections entered since then do not matter, unless a global section is open.
 *
 * EPERM    not the section that the caller entered last, or not attached
 * EDEADLK  the wait for a section above would close a cycle; still locked
 * ENOMEM   the kernel has no memory for that wait; still locked
 *
 * After the last two errors, a global mutex is free, but its section is still open: call again.
 */
PLF_INLINE int plf_mutex_unlock(plf_mutex_t *mutex);

/*
 * After EOWNERDEAD, report that the data are repaired. EINVAL: not in that state, or not the
 * holder.
 */
int plf_mutex_consistent(plf_mutex_t *mutex);

/* Read the ceiling, 1 to 99. EINVAL: not initialised, or global. */
int plf_mutex_getceiling(const plf_mutex_t *mutex, int *ceiling);

/*
 * Change the ceiling of a free mutex, and return the old ceiling (`old` may be NULL). The caller's
 * own priority does not matter. Like any lock, this sleeps first while an open section covers the
 * caller.
 *
 * EINVAL  ceiling outside 1 to 99; not initialised, or global
 * EPERM, EXDEV, EAGAIN, EDEADLK, ENOMEM  as plf_mutex_lock()
 * EBUSY   held, or an open section on this CPU has as high a ceiling; PLF_STRICT with backend
 *         `module`: locked before
 */
int plf_mutex_setceiling(plf_mutex_t *mutex, int ceiling, int *old);

/* ---- Resources that servers share ------------------------------------- */

enum { PLF_SHARED_SERVERS_MAX = 8 };

/* A server that uses a shared resource. */
struct plf_share {
	uint32_t stack; /* the server's; 0: the entry is free */
	plf_mutex_t mutex;
};

/*
 * A resource of several servers of a CPU, which all have a policy for sharing (Asberg et al.,
 * OSPERT 2010, 5; van den Heuvel et al., OSPERT 2010, 8, Sections VI to VIII). A section is also a
 * section of a mutex of the caller's server. While it is open, no server at or below the priority
 * of the most urgent user gets the CPU, for at most the longest section X. X is the longest hold_ns
 * that the caller's server gave in plf_server_share().
 *
 * PLF_SERVER_OVERRUN: a section keeps out all other threads of its server. If the budget ends
 * inside, the server goes on until the outermost section ends, but at most for X + 1 ns, or until
 * its next period. PLF_SERVER_PAYBACK: the same, and the next budget is reduced by that time.
 * PLF_SERVER_SKIP: an outermost section begins only if more than X of the budget is left. Otherwise
 * the caller waits for the next budget, and looks again. X includes the time that more urgent
 * threads of the server take meanwhile.
 *
 * A section that takes longer than X does not take other servers' time: it is suspended with its
 * server. A thread of another server that finds it open sleeps until its own server's next budget,
 * and looks again.
 */
typedef struct plf_shared {
	uint32_t holder;  /* its frame; 0: free */
	uint32_t before;  /* the holder's claim before the section */
	uint32_t ceiling; /* the priority of the most urgent server that uses it */
	uint32_t bound;	  /* CPU + 1; 0: not bound yet */
	struct plf_share share[PLF_SHARED_SERVERS_MAX];
} plf_shared_t;

/* Make the resource free, without a server yet. */
void plf_shared_init(plf_shared_t *shared);

/* End the use of the resource. EBUSY: held. */
int plf_shared_destroy(plf_shared_t *shared);

/*
 * The server's threads use the resource, in sections of at most hold_ns. local_ceiling is the
 * highest local priority of its users in the server. Under PLF_SERVER_SKIP, hold_ns includes the
 * time that threads of the server above local_ceiling take meanwhile. Call this before any thread
 * locks the resource, and by one thread at a time.
 *
 * EINVAL   the server is not initialised, or a parent process's; local_ceiling outside 1 to 99;
 *          hold_ns 0, or above PLF_SERVER_PERIOD_MAX_NS
 * ENOTSUP  the server's policy is PLF_SERVER_IDLING
 * ERANGE   under PLF_SERVER_SKIP: hold_ns is the budget or more
 * EXDEV    another server of the resource is of another CPU
 * ENOMEM   PLF_SHARED_SERVERS_MAX servers use the resource
 */
int plf_server_share(const plf_server_t *server, plf_shared_t *shared, int local_ceiling,
		     uint64_t hold_ns);

/*
 * Enter a section of the resource. Errors as plf_mutex_lock(), and:
 *
 * EXDEV       the caller's server does not use it, or the caller is in no server
 * EOWNERDEAD  locked, but its last owner died inside: repair the data; unlocked, the resource is as
 *             good as any other
 */
int plf_shared_lock(plf_shared_t *shared) __attribute__((warn_unused_result));

/* Leave the section: last in, first out, mutexes included. Errors as plf_mutex_unlock(). */
int plf_shared_unlock(plf_shared_t *shared);

/* ---- Waits, all with the wake hook ------------------------------------ */

/*
 * Each wait returns only when no open section covers the caller. If it begins inside a section, it
 * gives EBUSY in strict, and is counted in robust. Besides their own errors, the waits have: EPERM
 * not attached; EXDEV the caller was migrated; EDEADLK the hook's wait would close a cycle; ENOMEM
 * the kernel has no memory for it. After the last three, the wait is over (a semaphore's unit is
 * taken), but the ceiling rule was not kept.
 */

/* The wake hook alone, for a thread that slept in a call that is not listed here. */
PLF_INLINE int plf_wake_hook(void);

/* Sleep until `time_ns`, unless that is over. EINTR: a signal handler ran. */
int plf_sleep_until(uint64_t time_ns);

/* CLOCK_MONOTONIC now, in nanoseconds. */
uint64_t plf_now(void);

struct plf_periodic {
	uint64_t next_ns; /* the next release */
	uint64_t period_ns;
	uint64_t missed;      /* releases at which the caller was still at work */
	uint32_t interrupted; /* the last wait gave EINTR: releases until the next are not missed */
};

/* First release at `first_ns`, then every `period_ns`. EINVAL: period_ns == 0. */
int plf_periodic_init(struct plf_periodic *periodic, uint64_t first_ns, uint64_t period_ns);

/*
 * Sleep until the next release. Releases that went by meanwhile are counted and skipped. EINTR: a
 * signal handler ran; call again, nothing is lost.
 */
int plf_periodic_wait(struct plf_periodic *periodic);

/*
 * A condition variable. A signal wakes the waiter of the highest base priority; among equals, the
 * waiter that has waited longest.
 */
typedef struct plf_cond {
	plf_mutex_t queue_lock;
	uint32_t first; /* thread slot + 1 of the first waiter; the order is by priority */
	uint32_t epoch; /* counts fork(), because a child inherits no waiters */
} plf_cond_t;

/* clang-format off */
#define PLF_COND_INITIALIZER { PLF_MUTEX_INITIALIZER(PLF_PRIORITY_MAX), 0, 0 }
/* clang-format on */

/* The same as PLF_COND_INITIALIZER. */
void plf_cond_init(plf_cond_t *cond);

/*
 * EBUSY: a thread waits; or it is still in the queue, because it was found migrated (EXDEV) when it
 * left.
 */
int plf_cond_destroy(plf_cond_t *cond);

/*
 * Leave `mutex`, sleep, and enter it again. Not a cancellation point; may return early without a
 * signal. EPERM: `mutex` is not the section entered last, or the caller locked it several times.
 * EINVAL: it is global.
 *
 * After an error of the hook, `mutex` is not locked, and the caller may still be in the queue.
 * After an error of plf_mutex_lock() on the way back, it is not locked either, except after
 * EOWNERDEAD.
 */
PLF_INLINE int plf_cond_wait(plf_cond_t *cond, plf_mutex_t *mutex);

/* As plf_cond_wait(), but ETIMEDOUT at `time_ns`; the mutex is locked then, too. */
PLF_INLINE int plf_cond_timedwait(plf_cond_t *cond, plf_mutex_t *mutex, uint64_t time_ns);

/*
 * Wake one waiter, or all waiters. Without waiters, do nothing.
 *
 * EPERM: not attached (other threads and signal handlers post a semaphore). All calls of a
 * condition enter a short section of the highest ceiling, and have its errors.
 */
int plf_cond_signal(plf_cond_t *cond);
int plf_cond_broadcast(plf_cond_t *cond);

/* A POSIX semaphore whose waits carry the hook. Any thread may post, attached or not. */
typedef struct plf_sem {
	sem_t sem;
} plf_sem_t;

/* For the threads of this process. EINVAL: value above SEM_VALUE_MAX. */
int plf_sem_init(plf_sem_t *sem, unsigned value);
/* No thread may wait. There are no errors. */
int plf_sem_destroy(plf_sem_t *sem);
/* Take a unit; sleep while there is none. EINTR: a signal handler ran. */
int plf_sem_wait(plf_sem_t *sem);
/* Take a unit without sleeping for it. EAGAIN: the value is 0. */
int plf_sem_trywait(plf_sem_t *sem);
/* As plf_sem_wait(), but ETIMEDOUT at `time_ns`. */
int plf_sem_timedwait(plf_sem_t *sem, uint64_t time_ns);
/* Give a unit. EOVERFLOW: the value is SEM_VALUE_MAX. */
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
