/* SPDX-License-Identifier: MIT */

/*
 * Mutexes across CPUs: real threads on two CPUs, the real kernel, the shipped library. Threads of
 * both CPUs come, unlock, die and are moved at every instruction boundary of a thread's lock and
 * unlock, even while it waits. A process plays a single scene, and prints a line of JSON.
 */
#define _GNU_SOURCE
#include "command.h"
#include "play.h"
#include "raw.h"
#include "scene.h"
#include "stand.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

const char program[] = "global";

/* OF_WATCHERS and OF_RELEASER are below all actors. OF_STRANGER is above their bases, and below the
 * band. NAP_NS is the time between two looks. */
enum { OF_WATCHERS = 1, OF_RELEASER = 2, OF_STRANGER = 45, NAP_NS = 20000 };

const struct scene *scene;

static struct command asked;
static struct plf_thread *place[ACTORS];

/* ---- The threads ------------------------------------------------------- */

void step_on_stage(struct actor *self)
{
	int error = plf_attach(self->priority, asked.cpu[scene->is_away[self->index] ? 1 : 0], 0);

	if (error == EPERM)
		fprintf(stderr, "global: SCHED_FIFO is denied: needs RLIMIT_RTPRIO >= 98 or "
				"CAP_SYS_NICE\n");
	if (error != 0)
		could_not_run("plf_attach", error);
	place[self->index] = plf_self;
	arrival_beside = scene->is_away[self->index];
}

uint64_t gate_waits(void)
{
	struct plf_stats stats;

	plf_get_stats(&stats);
	return stats.gate_waits;
}

static void be_on_cpu_0(int priority)
{
	const struct sched_param param = { .sched_priority = priority };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)asked.cpu[0], &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0 ||
	    sched_setscheduler(0, SCHED_FIFO, &param) != 0)
		could_not_run("a thread beside the actors", EPERM);
}

/* 1 while the thread must do its part. */
static uint32_t release_wanted = 1, stranger_wanted = 1;

static void await(uint32_t *wanted)
{
	while (__atomic_load_n(wanted, __ATOMIC_SEQ_CST) == 0)
		raw_wait(wanted, 0);
}

static void call(uint32_t *wanted)
{
	__atomic_store_n(wanted, 1, __ATOMIC_SEQ_CST);
	raw_wake(wanted);
}

static void rest(uint32_t *wanted)
{
	__atomic_store_n(wanted, 0, __ATOMIC_SEQ_CST);
}

/* While the occupant is inside, no sleeping thread has been granted the mutex. */
static void release(void)
{
	if (__atomic_load_n(&may_leave, __ATOMIC_SEQ_CST) == 0)
		note_line();
	call(&may_leave);
}

/* Runs when no actor of CPU 0 can run. */
static void *releaser(void *unused)
{
	(void)unused;
	be_on_cpu_0(OF_RELEASER);
	for (rest(&release_wanted);; rest(&release_wanted)) {
		await(&release_wanted);
		release();
	}
	return NULL;
}

/* Has no hook, and leaves CPU 0 only to actors that the kernel puts above it. */
static void *stranger(void *unused)
{
	(void)unused;
	be_on_cpu_0(OF_STRANGER);
	for (rest(&stranger_wanted);; rest(&stranger_wanted)) {
		await(&stranger_wanted);
		enter_scene(&actor[1]);
		while (__atomic_load_n(&actor[1].active, __ATOMIC_SEQ_CST))
			__builtin_ia32_pause();
	}
	return NULL;
}

static void start_beside(void *(*body)(void *), const uint32_t *wanted)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, NULL) != 0)
		could_not_run("pthread_create", EAGAIN);
	while (__atomic_load_n(wanted, __ATOMIC_SEQ_CST) != 0)
		raw_nap(NAP_NS);
}

/* ---- A run ------------------------------------------------------------- */

static void make_mutexes(void)
{
	for (int i = 0; i < GLOBALS; i++)
		plf_mutex_init_global(&lock[i]);
	plf_mutex_init(&lock[GLOBALS], LOCAL_CEILING);
}

/* Actor 2 stops in the middle of its section. Then actor 1 waits behind it, if lined. */
static void occupy_scene(void)
{
	enter_scene(&actor[2]);
	while (__atomic_load_n(&occupied, __ATOMIC_SEQ_CST) == 0)
		raw_nap(NAP_NS);
	if (scene->lined)
		enter_scene(&actor[1]);
	while (scene->lined && !side_notes[1].is_in_line) {
		raw_nap(NAP_NS);
		note_line();
	}
	call(&release_wanted);
}

void clear_scene(void)
{
	clear_notes();
	for (int i = 0; i < ACTORS; i++) {
		actor[i].wants = 0;
		side_notes[i] = (struct side_notes) { .is_away = scene->is_away[i] };
	}
	for (int i = 1; i < PLF_FRAMES; i++) /* frames of the last run must not help this run */
		place[0]->frame[i].prev = 0;
	deaths_reported = 0;
	died = died_inside = false;
	occupied = may_leave = 0;
	if (scene->occupied)
		occupy_scene();
}

void wait_for_all(void)
{
	while (actor[1].active || actor[2].active)
		raw_nap(NAP_NS);
	while (__atomic_load_n(&release_wanted, __ATOMIC_SEQ_CST) != 0 ||
	       __atomic_load_n(&stranger_wanted, __ATOMIC_SEQ_CST) != 0)
		raw_nap(NAP_NS);
	stand_end();
}

static void settle(struct actor *self)
{
	for (int i = 0; i < GLOBALS; i++)
		if (plf_mutex_lock(&lock[i]) != 0 || plf_mutex_unlock(&lock[i]) != 0)
			violate("lock refused between two runs");
	(void)self;
}

/* Lets a comer settle before its part begins. */
static void let_settle(struct actor *comer)
{
	void (*activity)(struct actor *) = comer->activity;

	comer->activity = settle;
	enter_scene(comer);
	while (comer->active)
		raw_nap(NAP_NS);
	comer->activity = activity;
}

/* At most a single locker learns of a death. If the owner died inside, some locker must. */
static void check_death(void)
{
	int error = plf_wake_hook(); /* takes the frame of the dead away */

	if (error == 0)
		error = plf_mutex_trylock(&lock[0]);
	if (error == EOWNERDEAD) {
		deaths_reported++;
		guarded[0].first = guarded[0].second;
		error = plf_mutex_consistent(&lock[0]);
	}
	if (error != 0 || plf_mutex_unlock(&lock[0]) != 0)
		violate("lock refused after a death");
	if (deaths_reported > 1)
		violate("a death was reported twice");
	if (died_inside && deaths_reported == 0)
		violate("a death went unreported");
}

/* A new thread takes the part of the thread that died. */
static void replace(struct actor *dead)
{
	pthread_join(dead->thread, NULL);
	start_comer(dead);
	let_settle(dead);
}

/* Moves the holder back to its CPU, and settles it again. */
static void come_back(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)asked.cpu[0], &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		could_not_run("the way back", errno);
	side_notes[0].was_moved = false;
	settle(&actor[0]);
}

static void check_place(const struct plf_thread *t)
{
	if (*t->top != 0)
		violate("a stack was left unempty");
	for (int i = 0; i < PLF_FRAMES; i++)
		if (t->frame[i].gate.word != 0 || t->frame[i].second.word != 0)
			violate("a gate was left shut");
}

static void check_mutexes(void)
{
	for (int i = 0; i < GLOBALS; i++) {
		if (lock[i].holder != 0)
			violate("a mutex was left held");
		if (lock[i].state != PLF_MUTEX_CONSISTENT)
			violate("the data of a mutex were left for lost");
	}
}

void check_end(void)
{
	if (side_notes[0].was_moved)
		come_back();
	if (died)
		check_death();
	check_mutexes();
	if (died)
		replace(&actor[scene->dies ? 2 : 1]);
	check_actors();
	for (int i = 0; i < ACTORS; i++)
		if (actor[i].activity != NULL)
			check_place(place[i]);
}

/* ---- The ways of arriving ---------------------------------------------- */

/*
 * The owner of mutex 0 has a frame, or is in the band (global.c, I1). At a boundary only the
 * stopped thread has frames on its CPU.
 */
static void check_owner(void)
{
	uint32_t tid = (uint32_t)plf_load64(&lock[0].holder) & PLF_TID_MASK;

	for (int i = 0; i < ACTORS; i++)
		if (actor[i].activity != NULL && place[i]->tid == tid && *place[i]->top == 0 &&
		    !is_in_band(&actor[i]))
			violate("an owner has no frame, and is not in the band");
}

static bool comes(void *comer)
{
	check_owner();
	return enter_scene(comer);
}

static bool other_goes_on(void *comer)
{
	check_owner();
	stand_begin(0);
	enter_scene(comer);
	return stand_still(0);
}

void free_occupant(void)
{
	stand_begin(0);
	release();
	stand_still(0);
}

static bool occupant_leaves(void *unused)
{
	(void)unused;
	free_occupant();
	return true;
}

/* Stands still until the other CPU is quiet. */
static void see_other(void)
{
	stand_begin(0);
	if (!scene->occupied)
		enter_scene(&actor[2]);
	stand_still(0);
	note_line();
}

static bool is_seen(void *unused)
{
	(void)unused;
	see_other();
	return true;
}

static bool is_killed(void *unused)
{
	(void)unused;
	see_other();
	vanish(&actor[1]);
}

static bool is_moved(void *comer)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)asked.cpu[1], &set);
	side_notes[0].was_moved = true;
	raw_syscall(SYS_sched_setaffinity, 0, sizeof(set), (long)&set, 0, 0, 0);
	stand_begin(1);
	enter_scene(comer);
	return stand_still(1);
}

/* The stranger preempts the holder here. The handler goes on when the kernel lets it. */
static bool stranger_comes(void *unused)
{
	(void)unused;
	call(&stranger_wanted);
	return true;
}

static void await_side_0(void)
{
	stand_await(0);
}

static void await_side_1(void)
{
	stand_await(1);
}

static void sweep_comers(void)
{
	sweep_singles(comes, &actor[1], scene->sleeps);
	if (actor[2].activity == NULL || scene->occupied)
		return;
	sweep_singles(comes, &actor[2], scene->sleeps);
	if (scene->pairs && !asked.singles_only)
		sweep_pairs();
}

static void sweep(void)
{
	switch (scene->way) {
	case COMES:
		sweep_comers();
		break;
	case GOES_ON:
		actor[1].before = await_side_0;
		sweep_singles(other_goes_on, &actor[1], scene->sleeps);
		break;
	case IS_FREED:
		sweep_singles(occupant_leaves, &actor[1], scene->sleeps);
		break;
	case IS_SEEN:
		sweep_waiter(0, enter_scene, is_seen, NULL);
		break;
	case IS_KILLED:
		sweep_waiter(0, enter_scene, is_killed, NULL);
		break;
	case IS_MOVED:
		actor[1].before = await_side_1;
		sweep_singles(is_moved, &actor[1], scene->sleeps);
		break;
	case IS_LENT:
		sweep_singles(stranger_comes, &actor[1], scene->sleeps);
		break;
	}
}

void play_scene(void)
{
	for (int i = 1; i < ACTORS; i++)
		if (actor[i].activity != NULL)
			start_comer(&actor[i]);
	start_beside(releaser, &release_wanted);
	start_beside(stranger, &stranger_wanted);
	stand_setup(asked.cpu, OF_WATCHERS);
	make_mutexes();
	settle(&actor[0]);
	for (int i = 1; i < ACTORS; i++)
		if (actor[i].activity != NULL)
			let_settle(&actor[i]);
	trace_holder();
	sweep();
}

/* ---- The command line -------------------------------------------------- */

static void cast_actors(void)
{
	for (int i = 0; i < ACTORS; i++) {
		actor[i].index = i;
		actor[i].priority = scene->priority[i];
		actor[i].activity = scene->activity[i];
	}
}

static struct scene_head head_of(size_t i)
{
	return (struct scene_head) { .name = scenes[i].name,
				     .strengths = "robust",
				     .cpus = 2,
				     .has_pairs = scenes[i].pairs,
				     .about = scenes[i].about };
}

int main(int argc, char **argv)
{
	asked = (struct command) { .program = "global", .scenes = scene_count, .head = head_of };
	read_command(&asked, argc, argv);
	scene = &scenes[asked.scene];
	cast_actors();
	return perform_command(&asked);
}
