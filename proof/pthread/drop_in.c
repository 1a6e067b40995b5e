/* SPDX-License-Identifier: MIT */

/*
 * The shipped drop-in in place of libc's functions, with real threads on the real kernel. Threads
 * arrive at every instruction boundary of a thread's POSIX calls. A process plays a single scene,
 * and prints a line of JSON.
 */
#define _GNU_SOURCE
#include "command.h"
#include "insight.h"
#include "play.h"
#include "raw.h"
#include "scene.h"
#include "stand.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char program[] = "drop-in";

enum { OF_WATCHERS = 51, OF_RESCUER = 55 }; /* below all actors */

static const struct scene *scene;
static struct command asked;
static struct plf_member *member[ACTORS];

/* ---- The threads ------------------------------------------------------- */

static void pin(int to)
{
	cpu_set_t set;
	int error;

	CPU_ZERO(&set);
	CPU_SET((size_t)to, &set);
	error = pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	if (error != 0)
		could_not_run("affinity", error);
}

static void set_priority(int policy, int priority)
{
	const struct sched_param param = { .sched_priority = priority };
	int error = pthread_setschedparam(pthread_self(), policy, &param);

	if (error == EPERM)
		fprintf(stderr,
			"drop-in: SCHED_FIFO is denied: needs RLIMIT_RTPRIO >= %d or "
			"CAP_SYS_NICE\n",
			priority);
	if (error != 0)
		could_not_run("priority", error);
}

static bool is_of_other_cpu(const struct actor *a)
{
	return (scene->way == GOES_ON && a->index > 0) || (scene->way == IS_LENT && a->index == 2);
}

void step_on_stage(struct actor *self)
{
	pin(asked.cpu[is_of_other_cpu(self) ? 1 : 0]);
	set_priority(scene->round_robin && self->index == 1 ? SCHED_RR : SCHED_FIFO,
		     self->priority);
	member[self->index] = insight_member();
}

uint64_t gate_waits(void)
{
	return insight_counts()->gate_waits;
}

/* The rescuer runs when all others sleep, and no more threads come. */
static uint32_t rescue_wanted = 1;

static void *rescuer(void *unused)
{
	(void)unused;
	pin(asked.cpu[0]);
	set_priority(SCHED_FIFO, OF_RESCUER);
	for (;;) {
		while (__atomic_load_n(&rescue_wanted, __ATOMIC_SEQ_CST) == 0)
			raw_wait(&rescue_wanted, 0);
		if (scene->rescued && !first.happened)
			rescue();
		__atomic_store_n(&rescue_wanted, 0, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

static void start_rescuer(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, rescuer, NULL) != 0)
		could_not_run("pthread_create", EAGAIN);
	while (__atomic_load_n(&rescue_wanted, __ATOMIC_SEQ_CST) != 0)
		raw_nap(1000000);
}

/* ---- The mutexes ------------------------------------------------------- */

static void make_mutexes(void)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT);
	if (scene->robust)
		pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	for (int i = 0; i < LOCKS; i++) {
		pthread_mutexattr_setprioceiling(&attr, ceilings[i]);
		if (pthread_mutex_init(&stock->mutex[i], &attr) != 0)
			could_not_run("pthread_mutex_init", EINVAL);
	}
	pthread_cond_init(&stock->cond, NULL);
}

static void use_mutexes(struct actor *self)
{
	(void)self;
	for (int i = 0; i < LOCKS; i++)
		if (pthread_mutex_lock(&stock->mutex[i]) != 0 ||
		    pthread_mutex_unlock(&stock->mutex[i]) != 0)
			could_not_run("first use", EINVAL);
}

/* Lets a comer do something before its part begins. */
static void let_do(struct actor *comer, void (*what)(struct actor *))
{
	void (*activity)(struct actor *) = comer->activity;

	comer->activity = what;
	enter_scene(comer);
	while (comer->active)
		raw_nap(20000);
	comer->activity = activity;
}

/* A hook, in which the library finds out the kind of thread. */
static void settle(struct actor *self)
{
	(void)self;
	sched_yield();
}

/* A SCHED_RR thread is eager, and eager users make mutexes shared. Then the holder becomes
 * SCHED_FIFO again. */
static void share_mutexes(void)
{
	set_priority(SCHED_RR, actor[0].priority);
	use_mutexes(&actor[0]);
	set_priority(SCHED_FIFO, actor[0].priority);
	use_mutexes(&actor[0]);
}

/* Leaves the mutex as an owner does that learned of a death and could not recover the state. */
static void lose_state(void)
{
	((struct plf_protect *)(void *)&stock->mutex[0])->state = PLF_NOT_RECOVERABLE;
}

/* After this the library knows the holder's CPU. */
static void carry_mutex(void)
{
	use_mutexes(&actor[0]);
	if (pthread_mutex_lock(&stock->mutex[0]) != 0)
		could_not_run("a lock", EINVAL);
	pin(asked.cpu[1]);
	if (pthread_mutex_lock(&stock->mutex[1]) != 0 ||
	    pthread_mutex_unlock(&stock->mutex[1]) != 0)
		could_not_run("a section", EINVAL);
}

static void prepare_mutexes(void)
{
	if (scene->made != SHARED)
		make_mutexes();
	if (scene->lost)
		lose_state();
	if (scene->made == LOCAL)
		use_mutexes(&actor[0]);
	if (scene->made == FOREIGN)
		let_do(&actor[1], use_mutexes);
	if (scene->made == CARRIED)
		carry_mutex();
}

/* ---- A run ------------------------------------------------------------- */

/* Clears frames of the last run, so that they cannot help this run. */
static void clear_frames(void)
{
	struct plf_thread *place = member[0]->place;

	for (int i = 1; place != NULL && i < PLF_FRAMES; i++)
		place->frame[i].prev = 0;
}

void clear_scene(void)
{
	clear_notes();
	prepare_mutexes();
	clear_notes();
	clear_frames();
	posted = deaths_reported = timed_out = 0;
	died = died_inside = ended = freed = holds = came = kept = called = gave_up = false;
	first.happened = false;
	sem_init(&bell, 0, 0);
	if (scene->rescued) {
		rescue_wanted = 1;
		raw_wake(&rescue_wanted);
	}
}

static bool is_on_two_cpus(const struct scene *s)
{
	return s->way == GOES_ON || s->way == IS_MOVED || s->way == IS_LENT || s->way == FREES_AWAY;
}

void wait_for_all(void)
{
	while (actor[1].asleep || (is_on_two_cpus(scene) && (actor[1].active || actor[2].active)))
		raw_nap(20000);
	stand_end();
	while (__atomic_load_n(&rescue_wanted, __ATOMIC_SEQ_CST) != 0)
		raw_nap(20000);
}

static void end_here(struct actor *self)
{
	self->active = false;
	pthread_exit(NULL);
}

/* The first comer has ended, or must end now. A new thread takes its part. */
static void replace_comer(void)
{
	if (!died)
		let_do(&actor[1], end_here);
	pthread_join(actor[1].thread, NULL);
	start_comer(&actor[1]);
	let_do(&actor[1], settle);
}

/* Only the next locker gets EOWNERDEAD. Without a robust mutex, its time passes. */
static void check_death(void)
{
	const struct timespec over = { .tv_sec = 0 };
	pthread_mutex_t *mutex = &stock->mutex[0];
	int error = pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &over);

	if (scene->lost) {
		if (error != ENOTRECOVERABLE)
			violate("a lost state was found again by a death");
		return;
	}
	if (error == EOWNERDEAD) {
		deaths_reported++;
		error = pthread_mutex_consistent(mutex);
	}
	if (scene->robust && (error != 0 || pthread_mutex_unlock(mutex) != 0))
		violate("lock refused after a death");
	if (scene->robust && deaths_reported > 1)
		violate("a death was reported twice");
	if (scene->robust && died_inside && deaths_reported == 0)
		violate("a death went unreported");
	if (!scene->robust && died_inside && error != ETIMEDOUT)
		violate("the dead owner's lock was given to another thread");
	if (!scene->robust && error == 0 && pthread_mutex_unlock(mutex) != 0)
		violate("unlock refused after a death");
}

static void check_account(const struct plf_member *m)
{
	if (m->inside != 0 || m->published != 0 || m->raised_to != 0 || m->busy != 0)
		violate("an account was left open");
	for (int i = 0; m->place != NULL && i < PLF_FRAMES; i++)
		if (m->place->frame[i].gate.word != 0 || m->place->frame[i].second.word != 0)
			violate("a gate was left shut");
}

static void check_mutexes(void)
{
	for (int i = 0; i < LOCKS; i++)
		if (((struct plf_protect *)(void *)&stock->mutex[i])->lock != 0)
			violate("a mutex was left held");
}

/* A hook of a thread on the first CPU takes leftover frames off the stack. */
static void come_back(void)
{
	pin(asked.cpu[0]);
	let_do(&actor[1], settle);
	settle(&actor[0]);
}

void check_end(void)
{
	if (freed)
		mprotect(stock, sizeof(*stock), PROT_READ | PROT_WRITE);
	if (scene->way == IS_MOVED || scene->way == FREES_AWAY)
		come_back();
	if (ended && insight_arena()->stack[asked.cpu[0]].top != 0)
		violate("a thread ended and left its frame on the stack");
	if (died && scene->mortal)
		check_death();
	if (scene->robust || !died || !scene->mortal)
		check_mutexes();
	if (died || second.happened * (scene->way == IS_CANCELLED) != 0)
		replace_comer();
	check_actors();
	for (int i = 0; i < ACTORS; i++)
		if (actor[i].activity != NULL)
			check_account(member[i]);
	for (size_t i = 0; i < SIDES; i++)
		if (insight_arena()->stack[asked.cpu[i]].top != 0)
			violate("a stack was left unempty");
}

/* ---- The ways of arriving ---------------------------------------------- */

/*
 * The trap is a signal, so this is its handler. It sleeps until the comer has done its part or
 * cannot go on. Otherwise the holder could next need a section of the comer.
 */
static bool call_in_handler(void *comer)
{
	const struct timespec nap = { .tv_nsec = 20000 };
	int saved = errno;

	enter_scene(comer);
	actor[0].asleep = true;
	do
		nanosleep(&nap, NULL);
	while (is_runnable(comer));
	actor[0].asleep = false;
	if (actor[2].activity != NULL)
		enter_scene(&actor[2]);
	errno = saved;
	return true;
}

static bool both_come(void *comer)
{
	enter_scene(comer);
	return enter_scene(&actor[2]);
}

static bool is_killed(void *unused)
{
	(void)unused;
	vanish(&actor[1]);
}

static bool is_called(void *unused)
{
	bool preempts = actor[0].asleep;

	(void)unused;
	sem_post(&bell);
	return preempts;
}

static bool other_goes_on(void *argument)
{
	struct actor *other = argument;

	stand_begin(0);
	if (!other->active)
		enter_scene(other);
	return stand_still(0);
}

static bool holder_goes_on(void *unused)
{
	(void)unused;
	return stand_instead(1);
}

/* The third thread is on the other CPU, too. It runs until it sleeps or ends. */
static bool third_comes_and_holder_goes_on(void *third)
{
	enter_scene(third);
	stand_instead(1);
	return true;
}

/* Moves the holder by a raw system call, which the library does not see. */
static bool is_moved(void *unused)
{
	cpu_set_t set;

	(void)unused;
	CPU_ZERO(&set);
	CPU_SET((size_t)asked.cpu[1], &set);
	raw_syscall(SYS_sched_setaffinity, 0, sizeof(set), (long)&set, 0, 0, 0);
	return true;
}

/* A thread comes on the CPU that the holder has left. */
static bool other_comes(void *comer)
{
	stand_begin(1);
	enter_scene(comer);
	return stand_still(1);
}

static bool is_moved_and_other_comes(void *comer)
{
	is_moved(NULL);
	other_comes(comer);
	return true;
}

static bool is_in_library(const uint8_t *address)
{
	return !is_inline(address);
}

/* Whether the holder's boundary K is inside a sequence. */
static bool is_inside(size_t k)
{
	return k < holder_trace.count && is_in_sequence(holder_trace.at[k].address);
}

static bool is_beginning(size_t k)
{
	return !is_inside(k) && is_inside(k + 1);
}

/* The first event comes right before a sequence, so that the sequence begins with outdated
 * knowledge. The second comes inside a sequence.
 */
static void sweep_begins(bool (*comes)(void *argument), bool (*second_comes)(void *argument))
{
	for (size_t k = 0; k < holder_trace.count && scene->begins; k++)
		if (is_beginning(k))
			sweep_holder(k, comes, second_comes, &actor[1], is_in_sequence);
}

/* As before, but the holder goes on while the other thread stands anywhere in the library. */
static void sweep_overtaken(void)
{
	for (size_t k = 0; k < holder_trace.count && scene->overtaken; k++)
		if (is_beginning(k))
			sweep_waiter(k, other_goes_on, holder_goes_on, is_in_library);
}

/* The holder is on the other CPU by then. */
static void await_other(void)
{
	stand_await(1);
}

static void await_holder(void)
{
	stand_await(0);
}

static void sweep_moves(void)
{
	actor[1].before = await_other;
	sweep_singles(is_moved_and_other_comes, &actor[1], scene->sleeps);
	sweep_begins(is_moved, other_comes);
}

/* The first commit takes the mutex, the second takes the frame. */
enum { FREES = 2 };

/*
 * Sweeps boundaries right before the committing store of a sequence, after all its checks. NUMBER:
 * the sequence, from 1; 0: all sequences.
 */
static void sweep_commits(int number, bool (*second_comes)(void *argument),
			  bool (*wanted)(const uint8_t *address))
{
	int count = 0;

	for (size_t k = 0; k < holder_trace.count; k++)
		if (is_inside(k) && !is_inside(k + 1) && (++count == number || number == 0))
			sweep_waiter(k, other_goes_on, second_comes, wanted);
}

static void sweep_two_cpus(void)
{
	actor[1].before = await_holder;
	sweep_singles(other_goes_on, &actor[1], scene->sleeps);
	sweep_begins(other_goes_on, other_goes_on);
	sweep_overtaken();
	if (scene->pairs && !asked.singles_only)
		sweep_commits(0, holder_goes_on, is_in_library);
	if (actor[2].activity != NULL)
		sweep_commits(FREES, third_comes_and_holder_goes_on, insight_is_restarting);
}

static void sweep_away(void)
{
	actor[1].before = await_other;
	sweep_singles(other_comes, &actor[1], scene->sleeps);
}

/* The comer comes once, before the holder sleeps. */
static void sweep_calls(void)
{
	sweep_singles(enter_scene, &actor[1], scene->sleeps);
	for (size_t k = 0; k < holder_trace.count; k++)
		if (holder_trace.at[k].address == (const uint8_t *)on_bed)
			sweep_waiter(k, enter_scene, is_called, NULL);
}

static void sweep_one_cpu(void)
{
	sweep_singles(enter_scene, &actor[1], scene->sleeps);
	if (actor[2].activity == NULL)
		return;
	sweep_singles(enter_scene, &actor[2], scene->sleeps);
	if (scene->pairs && !asked.singles_only)
		sweep_pairs();
}

void play_scene(void)
{
	for (int i = 1; i < ACTORS; i++)
		if (actor[i].activity != NULL)
			start_comer(&actor[i]);
	start_rescuer();
	if (is_on_two_cpus(scene))
		stand_setup(asked.cpu, OF_WATCHERS);
	make_mutexes();
	for (int i = 1; i < ACTORS; i++)
		if (actor[i].activity != NULL)
			let_do(&actor[i], settle);
	if (scene->made == SHARED)
		share_mutexes();
	trace_holder();
	switch (scene->way) {
	case COMES:
		sweep_one_cpu();
		break;
	case BOTH_COME:
		sweep_singles(both_come, &actor[1], scene->sleeps);
		break;
	case CALLS:
		sweep_singles(call_in_handler, &actor[1], scene->sleeps);
		break;
	case GOES_ON:
		sweep_two_cpus();
		break;
	case IS_MOVED:
		sweep_moves();
		break;
	case FREES_AWAY:
		sweep_away();
		break;
	case IS_CANCELLED:
		sweep_waiter(0, enter_scene, enter_scene, NULL);
		break;
	case IS_KILLED:
		sweep_waiter(0, enter_scene, is_killed, NULL);
		break;
	case IS_CALLED:
		sweep_calls();
		break;
	case IS_LENT:
		sweep_singles(enter_scene, &actor[1], scene->sleeps);
		break;
	}
}

/* ---- The command line -------------------------------------------------- */

static void cast_actors(void)
{
	stock = mmap(NULL, sizeof(*stock), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
	if (stock == MAP_FAILED)
		could_not_run("set-up", errno);
	for (int i = 0; i < ACTORS; i++) {
		actor[i].index = i;
		actor[i].priority = scene->priority[i];
		actor[i].activity = scene->activity[i];
	}
	memcpy(ceilings, scene->ceiling, sizeof(ceilings));
}

static struct scene_head head_of(size_t i)
{
	return (struct scene_head) { .name = scenes[i].name,
				     .strengths = "robust",
				     .cpus = is_on_two_cpus(&scenes[i]) ? 2 : 1,
				     .has_pairs = scenes[i].pairs,
				     .about = scenes[i].about };
}

/* Starts the program again, because the library reads its environment before main(). */
static void begin_again_as_asked(char **argv)
{
	static const char name[] = "PLAFOND_ROBUST";

	if (!scene->robust || getenv(name) != NULL)
		return;
	if (setenv(name, "1", true) == 0)
		execv("/proc/self/exe", argv);
	could_not_run("the environment", errno);
}

int main(int argc, char **argv)
{
	int error;

	asked = (struct command) { .program = "drop-in", .scenes = scene_count, .head = head_of };
	read_command(&asked, argc, argv);
	scene = &scenes[asked.scene];
	begin_again_as_asked(argv);
	error = insight_setup();
	if (error != 0)
		could_not_run("the library's symbols", error);
	cast_actors();
	return perform_command(&asked);
}
