/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "server_manager.h"

#include "clock.h"
#include "futex.h"
#include "keeper.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

enum { NS_PER_S = 1000000000, STACK_BYTES = 128 * 1024, IDLE_MARGIN_NS = 1000000 };

/*
 * One part in so many of each stretch without a server is left to ordinary threads. The kernel,
 * too, leaves them a part of its time.
 */
enum { FOR_ORDINARY = 20 };

struct plf_manager {
	pthread_mutex_t lock; /* lends priority, because the manager may wait for any thread */
	int cpu;
	uint32_t servers; /* 0: the manager is not in use */
	struct plf_budgets budgets;
	pthread_t thread, idler;
	uint32_t tid, idler_tid;
	int error;	/* of the manager's start */
	sem_t started;	/* posted by each of the two threads */
	uint32_t asked; /* futex: counts requests to look before the next decision is due */
	uint32_t ends;
	/* the idler */
	uint32_t idles; /* futex: 0: it sleeps; else the number of the decision */
	uint32_t idle_count;
	uint64_t idle_end_ns; /* it stops then at the latest */
	int idle_priority;
	struct plf_server_stats stats;
};

/* Guards which supplies and managers are in use, when a server is opened or closed. */
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static struct plf_manager managers[PLF_SERVER_MAX];
static struct plf_supply supplies[PLF_SERVER_MAX];

static struct plf_supply *supply_of(struct plf_budget *budget)
{
	return (struct plf_supply *)(void *)budget;
}

/* ---- The idler --------------------------------------------------------- */

static void *run_idler(void *argument)
{
	struct plf_manager *m = argument;

	m->idler_tid = (uint32_t)gettid();
	sem_post(&m->started);
	while (plf_load32(&m->ends) == 0) {
		uint32_t seen = plf_load32(&m->idles);

		if (seen == 0)
			plf_futex_wait(&m->idles, 0, NULL);
		else if (plf_clock_ns() < plf_load64(&m->idle_end_ns))
			plf_relax();
		else
			plf_cas32(&m->idles, seen, 0); /* time is up, or the manager is late */
	}
	return NULL;
}

static void set_idle_priority(struct plf_manager *m, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	if (priority == m->idle_priority)
		return;
	sched_setscheduler((pid_t)m->idler_tid, SCHED_FIFO, &param);
	m->idle_priority = priority;
	m->stats.priority_changes++;
}

/* Is a thread awake whose server does not have the CPU? */
static bool has_to_keep_out(const struct plf_manager *m)
{
	for (struct plf_budget *b = m->budgets.first; b != NULL; b = b->less_urgent)
		if (b != m->budgets.current && plf_supply_is_awake(supply_of(b)))
			return true;
	return false;
}

/*
 * If a server has the CPU, the idler goes on a little, because the manager may be late. If no
 * server has it, the idler stops earlier, for ordinary threads.
 */
static uint64_t end_of_idling(const struct plf_budgets *budgets, uint64_t next_ns)
{
	if (budgets->current != NULL)
		return next_ns + IDLE_MARGIN_NS;
	return next_ns - (next_ns - budgets->now_ns) / FOR_ORDINARY;
}

/* Establish S4 until the next decision. */
static void keep_out(struct plf_manager *m, uint64_t next_ns)
{
	const struct plf_budget *current = m->budgets.current;

	if (!has_to_keep_out(m)) {
		plf_store32(&m->idles, 0);
		return;
	}
	set_idle_priority(m, current == NULL ? 1 : current->priority);
	plf_store64(&m->idle_end_ns, end_of_idling(&m->budgets, next_ns));
	m->idle_count = m->idle_count == UINT32_MAX ? 1 : m->idle_count + 1;
	plf_store32(&m->idles, m->idle_count);
	plf_futex_wake(&m->idles);
}

/* ---- The manager ------------------------------------------------------- */

static void on_event(struct plf_budget *budget, enum plf_server_event event, uint64_t time_ns)
{
	struct plf_supply *supply = supply_of(budget);

	if (event == PLF_SERVER_REPLENISHED)
		plf_supply_begin_round(supply);
	if (supply->watch != NULL)
		supply->watch(supply->watch_argument, event, time_ns);
}

/*
 * Establish S1 to S3. First shut all servers that lose the CPU, so that two servers never have it.
 */
static void switch_servers(struct plf_manager *m)
{
	struct plf_budget *current = m->budgets.current;

	for (struct plf_budget *b = m->budgets.first; b != NULL; b = b->less_urgent)
		if (b != current)
			m->stats.priority_changes += plf_supply_shut(supply_of(b));
	if (current != NULL)
		m->stats.priority_changes += plf_supply_open(supply_of(current));
}

static void look_at_claims(struct plf_manager *m)
{
	for (struct plf_budget *b = m->budgets.first; b != NULL; b = b->less_urgent)
		b->claim = plf_supply_claim(supply_of(b));
}

/* Publish for S6 and S7. Only threads of the server with the CPU read this. */
static void publish(struct plf_manager *m)
{
	struct plf_budget *current = m->budgets.current;

	if (current != NULL)
		plf_supply_publish(supply_of(current), m->budgets.now_ns + current->left_ns,
				   plf_budgets_late(&m->budgets));
}

/* Decide. Returns when the next decision is due. */
static uint64_t decide(struct plf_manager *m, uint64_t due_ns)
{
	uint64_t begin_ns = plf_clock_ns();
	uint64_t late_ns = begin_ns > due_ns ? begin_ns - due_ns : 0;
	uint64_t next_ns;

	look_at_claims(m);
	next_ns = plf_budgets_advance(&m->budgets, begin_ns);
	publish(m);
	switch_servers(m);
	keep_out(m, next_ns);
	m->stats.decisions++;
	m->stats.latest_ns = late_ns > m->stats.latest_ns ? late_ns : m->stats.latest_ns;
	m->stats.manager_ns += plf_clock_ns() - begin_ns;
	return next_ns;
}

static void sleep_until(struct plf_manager *m, uint32_t asked, uint64_t time_ns)
{
	struct timespec until = { .tv_sec = (time_t)(time_ns / NS_PER_S),
				  .tv_nsec = (long)(time_ns % NS_PER_S) };

	plf_futex_wait(&m->asked, asked, time_ns == UINT64_MAX ? NULL : &until);
}

/*
 * Try to leave SCHED_IDLE, because threads are parked there, and not every thread may leave it
 * again.
 */
static int rehearse(void)
{
	struct sched_param idle = { 0 };
	struct sched_param own = { .sched_priority = PLF_SERVER_MANAGER };

	if (sched_setscheduler(0, SCHED_IDLE, &idle) != 0 ||
	    sched_setscheduler(0, SCHED_FIFO, &own) != 0)
		return errno;
	return 0;
}

static void *run_manager(void *argument)
{
	struct plf_manager *m = argument;
	uint64_t next_ns = UINT64_MAX;

	m->tid = (uint32_t)gettid();
	m->error = rehearse();
	sem_post(&m->started);
	while (plf_load32(&m->ends) == 0) {
		uint32_t asked = plf_load32(&m->asked);

		pthread_mutex_lock(&m->lock);
		next_ns = decide(m, next_ns);
		pthread_mutex_unlock(&m->lock);
		sleep_until(m, asked, next_ns);
	}
	return NULL;
}

static void ask(struct plf_manager *m)
{
	__atomic_fetch_add(&m->asked, 1, __ATOMIC_SEQ_CST);
	plf_futex_wake(&m->asked);
}

/* ---- Its begin and end ------------------------------------------------- */

static int start_thread(pthread_t *thread, int cpu, int priority, void *(*body)(void *),
			struct plf_manager *m)
{
	struct sched_param param = { .sched_priority = priority };
	pthread_attr_t attr;
	cpu_set_t set;
	int error = pthread_attr_init(&attr);

	if (error != 0)
		return error;
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
	pthread_attr_setschedparam(&attr, &param);
	error = pthread_create(thread, &attr, body, m);
	pthread_attr_destroy(&attr);
	return error == EAGAIN ? ENOMEM : error;
}

static void await_start(struct plf_manager *m)
{
	while (sem_wait(&m->started) != 0)
		;
}

static void end_threads(struct plf_manager *m, bool has_idler)
{
	plf_store32(&m->ends, 1);
	ask(m);
	pthread_join(m->thread, NULL);
	if (!has_idler)
		return;
	plf_store32(&m->idles, 1);
	plf_futex_wake(&m->idles);
	pthread_join(m->idler, NULL);
}

static int start_threads(struct plf_manager *m)
{
	int error = start_thread(&m->thread, m->cpu, PLF_SERVER_MANAGER, run_manager, m);

	if (error != 0)
		return error;
	await_start(m);
	error = m->error;
	if (error == 0)
		error = start_thread(&m->idler, m->cpu, 1, run_idler, m);
	if (error != 0)
		end_threads(m, false);
	else
		await_start(m);
	return error;
}

/* Both threads start with all signals blocked, so they run no handler of the program. */
static int start_manager(struct plf_manager *m, int cpu)
{
	pthread_mutexattr_t attr;
	sigset_t all, before;
	int error;

	memset(m, 0, sizeof(*m));
	m->cpu = cpu;
	m->budgets.on_event = on_event;
	m->idle_priority = 1;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&m->lock, &attr);
	pthread_mutexattr_destroy(&attr);
	sem_init(&m->started, 0, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = start_threads(m);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

/* The CPU's manager; if it has none, a free manager. There are as many managers as servers. */
static struct plf_manager *manager_of(int cpu)
{
	struct plf_manager *free = NULL;

	for (size_t i = 0; i < PLF_SERVER_MAX; i++) {
		if (managers[i].servers > 0 && managers[i].cpu == cpu)
			return &managers[i];
		if (managers[i].servers == 0)
			free = &managers[i];
	}
	return free;
}

/* ---- Servers ----------------------------------------------------------- */

static uint32_t number_of(const struct plf_supply *supply)
{
	return (uint32_t)(supply - supplies);
}

/* In a child of fork(), a thread stays on the stack of its server, although the server is gone. */
static bool has_threads(const struct plf_supply *supply)
{
	int stack = plf_server_stack(number_of(supply));

	return plf_arena != NULL &&
	       __atomic_load_n(&plf_arena->stack[stack].attached, __ATOMIC_RELAXED) > 0;
}

static struct plf_supply *free_supply(void)
{
	for (size_t i = 0; i < PLF_SERVER_MAX; i++)
		if (supplies[i].manager == NULL && !has_threads(&supplies[i]))
			return &supplies[i];
	return NULL;
}

/* A server's priority must be above all priorities of each less urgent server, threads included. */
static int check_band(const struct plf_manager *m, const struct plf_budget *budget)
{
	for (struct plf_budget *b = m->budgets.first; b != NULL; b = b->less_urgent)
		if (b->priority == budget->priority ||
		    (b->priority < budget->priority &&
		     plf_supply_highest(supply_of(b)) >= budget->priority))
			return ERANGE;
	return plf_budgets_have_room(&m->budgets, budget) ? 0 : ENOSPC;
}

/* Advance to now, but not over a decision that is due: the manager makes it, with the claims. */
static void catch_up(struct plf_manager *m)
{
	uint64_t now_ns = plf_clock_ns();
	uint64_t next_ns = plf_budgets_next(&m->budgets);

	if (next_ns > m->budgets.now_ns)
		plf_budgets_advance(&m->budgets, now_ns < next_ns ? now_ns : next_ns - 1);
}

/* The server's gate is shut until it gets the CPU. */
static void begin_supply(struct plf_supply *supply, struct plf_manager *m)
{
	struct plf_thread *gate = &supply->gate->thread;

	plf_slot_use_stack(supply->gate);
	gate->frame[1].prev = 0;
	*gate->top = plf_word(gate->frame[1].ref, plf_rank(gate->cpu, PLF_RANK_SPAN - 1));
	supply->shut = 1;
	supply->members = NULL;
	supply->watch = NULL;
	supply->words = (struct plf_lazy_global) { 0 };
	supply->claimants = 0;
	supply->calls = supply->skips = 0;
	supply->manager = m;
	catch_up(m);
	supply->budget.next_ns = m->budgets.now_ns;
	plf_budgets_add(&m->budgets, &supply->budget);
	m->servers++;
}

static int add_server(struct plf_manager *m, struct plf_supply *supply)
{
	int error = check_band(m, &supply->budget);

	if (error != 0)
		return error;
	error = plf_slot_claim(&plf_frames, plf_server_stack(number_of(supply)), 0,
			       PLF_STRENGTH_ROBUST, m->tid, &supply->gate);
	if (error != 0)
		return error;
	pthread_mutex_lock(&m->lock);
	begin_supply(supply, m);
	pthread_mutex_unlock(&m->lock);
	ask(m);
	return 0;
}

static int open_server(int cpu, const struct plf_budget *budget, bool shares, uint32_t *number)
{
	struct plf_manager *m = manager_of(cpu);
	struct plf_supply *supply = free_supply();
	int error = supply == NULL ? ENOMEM : 0;

	if (error == 0 && m->servers == 0)
		error = start_manager(m, cpu);
	if (error != 0)
		return error;
	supply->budget = *budget;
	supply->shares = shares;
	*number = number_of(supply);
	error = add_server(m, supply);
	if (error != 0 && m->servers == 0)
		end_threads(m, true);
	return error;
}

int plf_server_open(int cpu, const struct plf_budget *budget, bool shares, uint32_t *number)
{
	int error;

	pthread_mutex_lock(&table);
	error = open_server(cpu, budget, shares, number);
	pthread_mutex_unlock(&table);
	return error;
}

static int remove_server(struct plf_supply *supply)
{
	struct plf_manager *m = supply->manager;
	int error = EBUSY;

	pthread_mutex_lock(&m->lock);
	if (plf_supply_is_empty(supply)) {
		catch_up(m);
		plf_budgets_remove(&m->budgets, &supply->budget);
		m->servers--;
		error = 0;
	}
	pthread_mutex_unlock(&m->lock);
	return error;
}

int plf_server_close(uint32_t number)
{
	struct plf_supply *supply = &supplies[number];
	struct plf_manager *m;
	int error;

	pthread_mutex_lock(&table);
	m = supply->manager;
	error = remove_server(supply);
	if (error == 0) {
		ask(m);
		if (m->servers == 0)
			end_threads(m, true);
		*supply->gate->thread.top = 0;
		supply->manager = NULL;
		plf_registry_lock();
		plf_slot_release(supply->gate);
		plf_registry_unlock();
	}
	pthread_mutex_unlock(&table);
	return error;
}

struct plf_supply *plf_server_of(uint32_t number)
{
	return number < PLF_SERVER_MAX && supplies[number].manager != NULL ? &supplies[number]
									   : NULL;
}

int plf_server_cpu(const struct plf_supply *supply)
{
	return supply->manager->cpu;
}

/* The first begin of a period at or after now_ns, if periods count from time_ns. */
static uint64_t first_from(uint64_t now_ns, uint64_t time_ns, uint64_t period_ns)
{
	if (time_ns >= now_ns)
		return time_ns;
	return time_ns + ((now_ns - time_ns - 1) / period_ns + 1) * period_ns;
}

void plf_server_move(struct plf_supply *supply, uint64_t time_ns)
{
	struct plf_manager *m = supply->manager;
	uint64_t now_ns;

	pthread_mutex_lock(&m->lock);
	now_ns = plf_clock_ns();
	catch_up(m);
	plf_budgets_remove(&m->budgets, &supply->budget);
	supply->budget.next_ns = first_from(now_ns, time_ns, supply->budget.period_ns);
	plf_budgets_add(&m->budgets, &supply->budget);
	pthread_mutex_unlock(&m->lock);
	ask(m);
}

static int take_share(struct plf_supply *supply, uint64_t hold_ns)
{
	struct plf_budget *budget = &supply->budget;

	if (!supply->shares)
		return ENOTSUP;
	if (!budget->overruns && !plf_lazy_global_is_enough(budget->budget_ns, hold_ns))
		return ERANGE;
	if (hold_ns > budget->hold_ns)
		budget->hold_ns = hold_ns;
	return 0;
}

int plf_server_take_share(struct plf_supply *supply, uint64_t hold_ns)
{
	struct plf_manager *m = supply->manager;
	int error;

	pthread_mutex_lock(&m->lock);
	error = take_share(supply, hold_ns);
	pthread_mutex_unlock(&m->lock);
	ask(m);
	return error;
}

void plf_server_call(struct plf_supply *supply)
{
	supply->calls++;
	ask(supply->manager);
}

int plf_server_enroll(struct plf_supply *supply, struct plf_slot *slot, int fifo_priority)
{
	struct plf_manager *m = supply->manager;
	int error;

	pthread_mutex_lock(&m->lock);
	error = plf_supply_admits(supply, &m->budgets, fifo_priority);
	if (error == 0)
		plf_supply_take_in(supply, slot, fifo_priority);
	pthread_mutex_unlock(&m->lock);
	return error;
}

void plf_server_leave(struct plf_slot *slot)
{
	struct plf_manager *m;

	if (slot->supply == NULL)
		return;
	m = slot->supply->manager;
	pthread_mutex_lock(&m->lock);
	plf_supply_let_go(slot);
	pthread_mutex_unlock(&m->lock);
}

void plf_server_set_watch(struct plf_supply *supply,
			  void (*watch)(void *, enum plf_server_event, uint64_t), void *argument)
{
	pthread_mutex_lock(&supply->manager->lock);
	supply->watch = watch;
	supply->watch_argument = argument;
	pthread_mutex_unlock(&supply->manager->lock);
}

static uint64_t left_of(const struct plf_manager *m, const struct plf_budget *budget)
{
	uint64_t used_ns = m->budgets.current == budget ? plf_clock_ns() - m->budgets.now_ns : 0;

	return used_ns < budget->left_ns ? budget->left_ns - used_ns : 0;
}

void plf_server_read_stats(struct plf_supply *supply, struct plf_server_stats *stats)
{
	struct plf_manager *m = supply->manager;

	pthread_mutex_lock(&m->lock);
	*stats = m->stats;
	stats->left_ns = left_of(m, &supply->budget);
	stats->calls = supply->calls;
	stats->skips = supply->skips;
	pthread_mutex_unlock(&m->lock);
}

void plf_servers_after_fork(void)
{
	for (size_t i = 0; i < PLF_SERVER_MAX; i++)
		while (supplies[i].members != NULL) {
			supplies[i].members->parked = 0;
			plf_supply_let_go(supplies[i].members);
		}
	memset(supplies, 0, sizeof(supplies));
	memset(managers, 0, sizeof(managers));
	pthread_mutex_init(&table, NULL);
}
