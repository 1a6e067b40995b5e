/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "scene.h"

#include "raw.h"

#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct stock *stock;
int ceilings[LOCKS];
int posted, deaths_reported, timed_out;
bool died, died_inside, ended, freed, holds, came, kept, called, gave_up;
sem_t bell;

/* ---- Sections, with the notes ------------------------------------------ */

/* The sections that each actor is certainly in, as bits. Sections may end in any order. */
static unsigned surely[ACTORS];

static int highest(unsigned sections)
{
	int ceiling = 0;

	for (int i = 0; i < LOCKS; i++)
		if ((sections & 1U << i) != 0 && ceilings[i] > ceiling)
			ceiling = ceilings[i];
	return ceiling;
}

static void note(struct actor *self, unsigned *sections, unsigned now)
{
	if (sections == &self->within && self->within == 0 && now != 0)
		self->sections++;
	*sections = now;
	self->inside = highest(surely[self->index]);
	self->around = highest(self->within);
}

static void note_entering(struct actor *self, int which)
{
	note(self, &self->within, self->within | 1U << which);
	self->wants = which + 1;
}

static void note_inside(struct actor *self, int which)
{
	self->wants = 0;
	note(self, &surely[self->index], surely[self->index] | 1U << which);
}

static void note_leaving(struct actor *self, int which)
{
	note(self, &surely[self->index], surely[self->index] & ~(1U << which));
}

static void note_outside(struct actor *self, int which)
{
	self->wants = 0;
	note(self, &self->within, self->within & ~(1U << which));
}

SHIPPED static void enter(struct actor *self, int which)
{
	note_entering(self, which);
	errno = EAGAIN; /* of an earlier call: not the result of this call */
	if (pthread_mutex_lock(&stock->mutex[which]) != 0)
		violate("lock refused");
	note_inside(self, which);
	touch(which);
}

SHIPPED static void leave(struct actor *self, int which)
{
	touch(which);
	note_leaving(self, which);
	if (pthread_mutex_unlock(&stock->mutex[which]) != 0)
		violate("unlock refused");
	note_outside(self, which);
}

/* A blocking call that does not sleep. Its hook is the hook of all blocking calls. */
SHIPPED static void hook(struct actor *self)
{
	if (sched_yield() != 0)
		violate("the hook changed a result");
	look(self);
}

SHIPPED static void section(struct actor *self, int which)
{
	enter(self, which);
	look(self);
	leave(self, which);
	look(self);
}

/* ---- On one CPU -------------------------------------------------------- */

SHIPPED static void once(struct actor *self)
{
	hook(self);
	section(self, 0);
}

/* trylock may fail only if another thread is inside. */
SHIPPED static void section_if_free(struct actor *self)
{
	note_entering(self, 0);
	if (pthread_mutex_trylock(&stock->mutex[0]) != 0)
		violate("trylock refused, though no thread can be inside");
	note_inside(self, 0);
	touch(0);
	look(self);
	leave(self, 0);
	look(self);
}

SHIPPED static void try_once(struct actor *self)
{
	hook(self);
	section_if_free(self);
}

/* Inside another section. Each comer has left again, or waits. */
SHIPPED static void try_inside(struct actor *self)
{
	hook(self);
	enter(self, 1);
	section_if_free(self);
	leave(self, 1);
	look(self);
}

SHIPPED static void twice(struct actor *self)
{
	hook(self);
	section(self, 0);
	section(self, 0);
}

SHIPPED static void use_1(struct actor *self)
{
	hook(self);
	section(self, 1);
}

SHIPPED static void use_2(struct actor *self)
{
	hook(self);
	section(self, 2);
}

SHIPPED static void no_lock(struct actor *self)
{
	hook(self);
}

/* Sets the priority that the holder has. The library takes this for a change, and settles the
 * holder anew. */
static void unsettle_holder(struct actor *self)
{
	const struct sched_param same = { .sched_priority = actor[0].priority };

	(void)self;
	if (pthread_setschedparam(actor[0].thread, SCHED_FIFO, &same) != 0)
		violate("a priority was not set");
}

/* A call that commits the section, and does not sleep. */
SHIPPED static void ask_inside(struct actor *self)
{
	struct sched_param param;

	hook(self);
	enter(self, 0);
	if (sched_getparam(0, &param) != 0 || param.sched_priority != ceilings[0])
		violate("a priority in a section is not its ceiling");
	look(self);
	leave(self, 0);
	look(self);
}

SHIPPED static void nest(struct actor *self, int outer, int inner)
{
	enter(self, outer);
	look(self);
	section(self, inner);
	leave(self, outer);
	look(self);
}

SHIPPED static void nest_rising(struct actor *self)
{
	hook(self);
	enter(self, 0);
	look(self);
	nest(self, 1, 2);
	leave(self, 0);
	look(self);
}

SHIPPED static void nest_falling(struct actor *self)
{
	hook(self);
	nest(self, 2, 0);
}

SHIPPED static void nest_01(struct actor *self)
{
	hook(self);
	nest(self, 0, 1);
}

/* Three sections, which end in the order in which they began. */
SHIPPED static void out_of_order(struct actor *self)
{
	hook(self);
	for (int i = 0; i < LOCKS; i++) {
		enter(self, i);
		look(self);
	}
	for (int i = 0; i < LOCKS; i++) {
		leave(self, i);
		look(self);
	}
}

/* The middle section ends first, and begins again on top of the others. */
SHIPPED static void out_of_the_middle(struct actor *self)
{
	hook(self);
	for (int i = 0; i < LOCKS; i++)
		enter(self, i);
	leave(self, 1);
	look(self);
	enter(self, 1);
	look(self);
	leave(self, 0);
	look(self);
	leave(self, 2);
	look(self);
	leave(self, 1);
	look(self);
}

/* First a section on which a sleeper may have pushed its frame, then the sleeper's section. */
SHIPPED static void once_then_1(struct actor *self)
{
	hook(self);
	section(self, 0);
	enter(self, 1);
	leave(self, 1);
}

/* Two sections, which end in the order in which they began. */
SHIPPED static void two_out_of_order(struct actor *self)
{
	hook(self);
	enter(self, 0);
	enter(self, 1);
	holds = true;
	leave(self, 0);
	look(self);
	leave(self, 1);
	look(self);
}

/*
 * Sleeps in its section without a call to the library, as in a page fault, so its frame stays on
 * the stack. The holder pushes no frame on top, because that frame would show its ceiling after its
 * end.
 */
SHIPPED static void sleep_unseen(struct actor *self)
{
	hook(self);
	enter(self, 2);
	if (holds) {
		self->asleep = true;
		raw_nap(100000);
		self->asleep = false;
	}
	enter_scene(&actor[2]);
	look(self);
	leave(self, 2);
	look(self);
}

/* Falls asleep in its section, by a call that commits it, and wakes up there, whichever thread runs
 * then. */
SHIPPED static void sleep_inside(struct actor *self)
{
	const struct timespec nap = { .tv_nsec = 30000 };

	hook(self);
	enter(self, 1);
	guarded[1].first++; /* half done, which a thread that comes meanwhile would see */
	self->asleep = true;
	nanosleep(&nap, NULL);
	self->asleep = false;
	guarded[1].second++;
	leave(self, 1);
}

/* Sleeps inside until the comer, if any, has done its part. The comer must not wait behind it. */
SHIPPED static void sleep_for_comer(struct actor *self)
{
	const struct timespec nap = { .tv_nsec = 20000 };

	hook(self);
	enter(self, 0);
	do {
		self->asleep = true;
		nanosleep(&nap, NULL);
		self->asleep = false;
	} while (actor[1].active && !came);
	leave(self, 0);
}

SHIPPED static void come(struct actor *self)
{
	hook(self);
	came = true;
}

/* The first comer comes at the boundary of its first instruction. */
SHIPPED void on_bed(void)
{
	__asm__ volatile("");
}

/* Sleeps in its first section until it is called. Its sections end in the order in which they
 * began. */
SHIPPED static void sleep_then_out_of_order(struct actor *self)
{
	hook(self);
	enter(self, 0);
	on_bed();
	self->slept = self->asleep = actor[1].active;
	if (self->asleep && sem_wait(&bell) != 0)
		violate("a wait failed");
	self->asleep = false;
	enter(self, 2);
	leave(self, 0);
	look(self);
	leave(self, 2);
	look(self);
}

SHIPPED static void use_2_and_call(struct actor *self)
{
	use_2(self);
	sem_post(&bell);
}

/* ---- Deaths and timeouts ----------------------------------------------- */

static struct timespec soon(long ns)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	time.tv_nsec += ns;
	if (time.tv_nsec >= 1000000000) {
		time.tv_sec++;
		time.tv_nsec -= 1000000000;
	}
	return time;
}

/* Locks until a time. Returns false if it had to wait beyond the time. */
SHIPPED static bool enter_in_time(struct actor *self, int which, const struct timespec *time)
{
	int error;

	note_entering(self, which);
	error = pthread_mutex_clocklock(&stock->mutex[which], CLOCK_MONOTONIC, time);
	if (error == EOWNERDEAD) {
		deaths_reported++;
		error = pthread_mutex_consistent(&stock->mutex[which]);
	}
	if (error == 0) {
		note_inside(self, which);
		touch(which);
		return true;
	}
	timed_out++;
	if (error != ETIMEDOUT)
		violate("a timed lock failed otherwise than by its time");
	note_outside(self, which);
	return false;
}

SHIPPED static void once_in_time(struct actor *self)
{
	const struct timespec over = { .tv_sec = 0 };
	bool before = died, entered;

	hook(self);
	before = died;
	entered = enter_in_time(self, 0, &over);
	if (entered && before && deaths_reported == 0)
		violate("a mutex was taken whose owner had died");
	if (!entered && !died)
		violate("the time was over, though no thread was inside");
	if (entered)
		leave(self, 0);
	look(self);
}

static void end_notes(struct actor *self)
{
	self->within = surely[self->index] = 0;
	self->wants = self->inside = self->around = 0;
	self->active = false;
}

/* Ends inside its section by pthread_exit(). */
static void die_inside(struct actor *self)
{
	const struct timespec over = { .tv_sec = 0 };

	hook(self);
	if (!enter_in_time(self, 0, &over))
		violate("lock refused");
	died = died_inside = ended = true;
	end_notes(self);
	pthread_exit(NULL);
}

void vanish(struct actor *self)
{
	died = true;
	died_inside = self->inside != 0;
	end_notes(self);
	raw_syscall(SYS_exit, 0, 0, 0, 0, 0, 0);
	__builtin_unreachable();
}

SHIPPED static void refused(struct actor *self)
{
	hook(self);
	if (pthread_mutex_lock(&stock->mutex[0]) != ENOTRECOVERABLE)
		violate("a mutex was taken whose state is lost");
	look(self);
}

static void vanish_inside(struct actor *self)
{
	const struct timespec over = { .tv_sec = 0 };

	hook(self);
	if (!enter_in_time(self, 0, &over))
		violate("lock refused");
	vanish(self);
}

/* A robust mutex reports a death, if any. For other mutexes the locker waits in vain. */
SHIPPED static void once_if_possible(struct actor *self)
{
	const struct timespec over = { .tv_sec = 0 };

	hook(self);
	if (enter_in_time(self, 0, &over))
		leave(self, 0);
	else if (!died)
		violate("the time was over, though no thread was inside");
	look(self);
}

/* Its time may pass while the sleeper is inside. */
SHIPPED static void once_then_1_in_time(struct actor *self)
{
	struct timespec time;

	hook(self);
	section(self, 0);
	time = soon(15000);
	if (enter_in_time(self, 1, &time))
		leave(self, 1);
	look(self);
}

/* ---- Condition variables ----------------------------------------------- */

SHIPPED static int wait_inside(struct actor *self, const struct timespec *time)
{
	int error;

	note_leaving(self, 0);
	if (time == NULL)
		error = pthread_cond_wait(&stock->cond, &stock->mutex[0]);
	else
		error = pthread_cond_clockwait(&stock->cond, &stock->mutex[0], CLOCK_MONOTONIC,
					       time);
	note_inside(self, 0);
	touch(0);
	if (error != 0 && error != ETIMEDOUT)
		violate("a wait failed");
	return error;
}

/* Waits until something is posted, and takes it. No thread wrongs it while it waits. */
SHIPPED static void wait_for_post(struct actor *self)
{
	hook(self);
	enter(self, 0);
	while (posted == 0) {
		self->asleep = true;
		wait_inside(self, NULL);
		self->asleep = false;
	}
	posted--;
	leave(self, 0);
	look(self);
}

/* Two threads wait. */
static void wait_in_company(struct actor *self)
{
	enter_scene(&actor[2]);
	wait_for_post(self);
}

SHIPPED static void wait_for_post_or_time(struct actor *self)
{
	struct timespec time;
	int error = 0;

	hook(self);
	enter(self, 0);
	time = soon(20000);
	while (posted == 0 && error == 0) {
		self->asleep = true;
		error = wait_inside(self, &time);
		self->asleep = false;
	}
	if (posted > 0)
		posted--;
	leave(self, 0);
	look(self);
}

SHIPPED static void post(struct actor *self)
{
	hook(self);
	enter(self, 0);
	posted++;
	if (pthread_cond_signal(&stock->cond) != 0)
		violate("signal refused");
	look(self);
	leave(self, 0);
	look(self);
}

SHIPPED static void post_twice(struct actor *self)
{
	post(self);
	post(self);
}

SHIPPED static void post_to_all(struct actor *self)
{
	hook(self);
	enter(self, 0);
	posted += 2;
	if (pthread_cond_broadcast(&stock->cond) != 0)
		violate("broadcast refused");
	look(self);
	leave(self, 0);
	look(self);
}

void rescue(void)
{
	pthread_mutex_lock(&stock->mutex[0]);
	posted++;
	pthread_cond_broadcast(&stock->cond);
	pthread_mutex_unlock(&stock->mutex[0]);
}

/* The thread was cancelled in its wait, and holds the mutex again. */
static void on_cancelled(void *argument)
{
	struct actor *self = argument;

	note_inside(self, 0);
	touch(0);
	self->asleep = false;
	if (pthread_mutex_unlock(&stock->mutex[0]) != 0)
		violate("unlock refused after a cancellation");
	end_notes(self);
	died = true;
}

static void on_cancelled_outside(void *argument)
{
	end_notes(argument);
	died = true;
}

SHIPPED static void wait_cancellably(struct actor *self)
{
	hook(self);
	enter(self, 0);
	pthread_cleanup_push(on_cancelled, self);
	while (posted == 0) {
		self->asleep = true;
		wait_inside(self, NULL);
		self->asleep = false;
	}
	pthread_cleanup_pop(0);
	posted--;
	leave(self, 0);
	pthread_cleanup_push(on_cancelled_outside, self);
	pthread_testcancel();
	pthread_cleanup_pop(0);
}

static void cancel(struct actor *self)
{
	(void)self;
	pthread_cancel(actor[1].thread);
}

/* ---- On two CPUs: no look(), because a ceiling counts on its CPU only --- */

SHIPPED static void plain(struct actor *self)
{
	enter(self, 0);
	holds = self->index == 0;
	leave(self, 0);
}

/* Two sections, which end in the order in which they began. */
SHIPPED static void plain_out_of_order(struct actor *self)
{
	enter(self, 0);
	enter(self, 1);
	leave(self, 0);
	leave(self, 1);
}

SHIPPED static void plain_twice(struct actor *self)
{
	plain(self);
	plain(self);
}

/* Stays inside while the other thread goes on. */
static void linger(struct actor *self)
{
	enter(self, 0);
	guarded[0].first++;
	raw_nap(30000);
	guarded[0].second++;
	leave(self, 0);
}

/* Takes only the lock word, so a thread that the ceiling would cover may come in between. */
SHIPPED static void set_ceiling(struct actor *self)
{
	int old;

	(void)self;
	if (pthread_mutex_setprioceiling(&stock->mutex[0], ceilings[0], &old) != 0 ||
	    old != ceilings[0])
		violate("a ceiling was not changed");
}

enum { HIGHER = 5 };

/* Switches between two ceilings, because a shared mutex keeps the ceiling of the last run. */
static void change_ceiling(struct actor *self)
{
	pthread_mutex_t *mutex = &stock->mutex[0];
	int old = 0;

	(void)self;
	if (pthread_mutex_getprioceiling(mutex, &old) != 0 ||
	    pthread_mutex_setprioceiling(mutex, 2 * ceilings[0] + HIGHER - old, &old) != 0)
		violate("a ceiling was not changed");
}

/* In the section the priority is the mutex's ceiling, because no other thread changes it there. */
SHIPPED static void ask_for_ceiling(struct actor *self)
{
	struct sched_param param;
	int ceiling;

	enter(self, 0);
	if (pthread_mutex_getprioceiling(&stock->mutex[0], &ceiling) != 0 ||
	    sched_getparam(0, &param) != 0 || param.sched_priority != ceiling)
		violate("a priority in a section is not its ceiling");
	leave(self, 0);
}

/* First only changes the mode, whether the holder is inside or not. */
static void try_then_linger(struct actor *self)
{
	if (came)
		linger(self);
	else if (pthread_mutex_trylock(&stock->mutex[0]) == 0)
		pthread_mutex_unlock(&stock->mutex[0]);
	came = true;
}

/* Destroys and frees the mutex that the holder still uses, as far as the owner can know. */
static void take_away(struct actor *self)
{
	if (!holds)
		return;
	enter(self, 0);
	leave(self, 0);
	if (pthread_mutex_destroy(&stock->mutex[0]) != 0)
		violate("destroy refused");
	freed = true;
	mprotect(stock, sizeof(*stock), PROT_NONE);
}

/* Gives up soon. The mutex may come just then. */
SHIPPED static void plain_in_time(struct actor *self)
{
	struct timespec time = soon(10000);

	if (enter_in_time(self, 0, &time))
		leave(self, 0);
}

SHIPPED static void plain_wait(struct actor *self)
{
	enter(self, 0);
	while (posted == 0)
		wait_inside(self, NULL);
	posted--;
	leave(self, 0);
}

SHIPPED static void plain_post(struct actor *self)
{
	enter(self, 0);
	posted++;
	pthread_cond_signal(&stock->cond);
	leave(self, 0);
}

/*
 * Inside another section. The other CPU stands still while this one goes on. So if a refused mutex
 * is not refused the next time, it was free.
 */
SHIPPED static void plain_try(struct actor *self)
{
	enter(self, 1);
	note_entering(self, 0);
	if (pthread_mutex_trylock(&stock->mutex[0]) == 0) {
		note_inside(self, 0);
		leave(self, 0);
	} else if (pthread_mutex_trylock(&stock->mutex[0]) == 0) {
		violate("trylock refused a mutex that was free");
		pthread_mutex_unlock(&stock->mutex[0]);
	}
	note_outside(self, 0);
	leave(self, 1);
}

SHIPPED static void plain_2(struct actor *self)
{
	enter(self, 2);
	leave(self, 2);
}

/* The thread has the mutex already. */
SHIPPED static void let_go(struct actor *self)
{
	note_entering(self, 0);
	note_inside(self, 0);
	leave(self, 0);
}

static bool is_set(const bool *flag)
{
	return __atomic_load_n(flag, __ATOMIC_SEQ_CST);
}

static void set(bool *flag)
{
	__atomic_store_n(flag, true, __ATOMIC_SEQ_CST);
}

/* Not inlined, because it must not be stepped. */
static __attribute__((noinline)) void await(const bool *flag)
{
	while (!is_set(flag))
		__builtin_ia32_pause();
}

/* Gets the mutex in its sleep. Another thread waits for it, and gives up while it is inside. */
SHIPPED static void wait_then_hold(struct actor *self)
{
	enter_scene(&actor[1]);
	enter_scene(&actor[2]);
	enter(self, 0);
	if (is_set(&called))
		await(&gave_up);
	leave(self, 0);
}

/* First keeps the holder waiting. Later, after its hook, it looks while the holder has a waiter. */
static void keep_then_look(struct actor *self)
{
	hook(self);
	if (!kept) {
		kept = true;
		enter(self, 0);
		self->asleep = true;
		if (sem_wait(&bell) != 0)
			violate("a wait failed");
		self->asleep = false;
		leave(self, 0);
		return;
	}
	set(&called);
	enter_scene(&actor[2]);
	do
		look(self);
	while (!is_set(&gave_up));
	look(self);
}

/* On the other CPU, which no ceiling of this CPU affects. First it calls the first comer from its
 * sleep.
 */
static void watch_then_give_up(struct actor *self)
{
	struct timespec time;

	self->asleep = true;
	if (!is_set(&called)) {
		while (is_runnable(&actor[0]))
			raw_nap(10000);
		sem_post(&bell);
		return;
	}
	time = soon(100000);
	if (enter_in_time(self, 0, &time))
		leave(self, 0);
	set(&gave_up);
}

const struct scene scenes[] = {
	{ .name = "flat",
	  .about = "all three use one mutex",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { once, once, once },
	  .sleeps = 1,
	  .pairs = true },
	{ .name = "again",
	  .about = "the holder enters twice: its frame lives two lives",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { twice, once, try_once },
	  .sleeps = 1 },
	{ .name = "tried",
	  .about = "the holder tries for an inner section, which is free whenever it runs",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 65, 80 },
	  .activity = { try_inside, once, no_lock },
	  .sleeps = 1 },
	{ .name = "unsettled",
	  .about = "a comer, and one that sets the holder's priority anew",
	  .priority = { 60, 70, 90 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { once, once, unsettle_holder },
	  .sleeps = 1,
	  .way = BOTH_COME },
	{ .name = "asked",
	  .about = "the holder asks for its priority inside, which commits the section",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { ask_inside, once, no_lock },
	  .sleeps = 1 },
	{ .name = "above",
	  .about = "one comer uses no mutex, the other is above the ceiling",
	  .priority = { 60, 70, 90 },
	  .ceiling = { 70, 90, 90 },
	  .activity = { once, no_lock, use_1 },
	  .sleeps = 1 },
	{ .name = "rising",
	  .about = "three sections nested, ceilings 65, 75, 85; comers use the inner two",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 65, 75, 85 },
	  .activity = { nest_rising, use_1, use_2 },
	  .sleeps = 1 },
	{ .name = "falling",
	  .about = "nested, ceilings 85 outside 65",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 65, 75, 85 },
	  .activity = { nest_falling, use_1, use_2 },
	  .sleeps = 1 },
	{ .name = "comer-nests",
	  .about = "the first comer nests two sections itself",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 70, 80, 80 },
	  .activity = { once, nest_01, use_1 },
	  .sleeps = 1 },
	{ .name = "out-of-order",
	  .about = "ceilings 85, 65, 75, ended as they began: what covers a comer ends first",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 85, 65, 75 },
	  .activity = { out_of_order, use_2, once },
	  .sleeps = 6 },
	{ .name = "middle",
	  .about = "the section in the middle ends first, and begins again on top",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 65, 85, 75 },
	  .activity = { out_of_the_middle, use_2, use_1 },
	  .sleeps = 6 },
	{ .name = "first-use",
	  .about = "the mutex was not used before",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { once, once, once },
	  .sleeps = 1,
	  .made = UNUSED },
	{ .name = "shared",
	  .about = "the mutex is in the shared mode",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { once, once, once },
	  .sleeps = 1,
	  .made = SHARED },
	{ .name = "round-robin",
	  .about = "the first comer is eager, which makes the mutex a shared one",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { once, once, once },
	  .sleeps = 1,
	  .round_robin = true },
	{ .name = "sleeper",
	  .about = "the first comer, above the ceiling, sleeps in a section of its own",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 65, 75, 85 },
	  .activity = { once_then_1, sleep_inside, NULL },
	  .sleeps = 1 },
	{ .name = "suspended",
	  .about = "the first comer sleeps with its frame on the stack, then calls the second",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 65, 65, 85 },
	  .activity = { two_out_of_order, sleep_unseen, no_lock },
	  .sleeps = 1 },
	{ .name = "behind",
	  .about = "the holder sleeps in its section until the comer, which it covers, has run",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { sleep_for_comer, come, NULL },
	  .sleeps = 1 },
	{ .name = "timeout",
	  .about = "the same, and the holder waits for it only for a time",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 65, 75, 85 },
	  .activity = { once_then_1_in_time, sleep_inside, NULL },
	  .sleeps = 1 },
	{ .name = "death",
	  .about = "the first comer ends in its section: a later locker waits in vain",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { once_in_time, die_inside, NULL },
	  .sleeps = 1,
	  .mortal = true },
	{ .name = "vanished",
	  .about = "the same, and the thread ends without a word",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { once_in_time, vanish_inside, NULL },
	  .sleeps = 1,
	  .mortal = true },
	{ .name = "robust",
	  .about = "the mutex is robust: the next locker gets EOWNERDEAD",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { once_in_time, die_inside, NULL },
	  .sleeps = 1,
	  .made = UNUSED,
	  .mortal = true,
	  .robust = true },
	{ .name = "killed",
	  .about = "the first comer ends at each boundary of its own, without a word",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { once_if_possible, once_if_possible, NULL },
	  .sleeps = 1,
	  .way = IS_KILLED,
	  .mortal = true },
	{ .name = "killed-robust",
	  .about = "the same, and the mutex is robust",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { once_if_possible, once_if_possible, NULL },
	  .sleeps = 1,
	  .way = IS_KILLED,
	  .made = UNUSED,
	  .mortal = true,
	  .robust = true },
	{ .name = "killed-lost",
	  .about = "the same, and what it protects is not recoverable: no thread can lock it",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { refused, refused, NULL },
	  .sleeps = 1,
	  .way = IS_KILLED,
	  .made = UNUSED,
	  .mortal = true,
	  .lost = true,
	  .robust = true },
	{ .name = "handler",
	  .about = "a signal handler sleeps at the boundary; one comer comes meanwhile, one after "
		   "it",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { once, once, no_lock },
	  .sleeps = 1,
	  .way = CALLS },
	{ .name = "handler-nested",
	  .about = "the same in three sections that end as they began",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 85, 65, 75 },
	  .activity = { out_of_order, use_2, no_lock },
	  .sleeps = 6,
	  .way = CALLS },
	{ .name = "called",
	  .about = "the holder sleeps in a section, and goes on at each boundary of the comer's",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 85, 65, 75 },
	  .activity = { sleep_then_out_of_order, use_2_and_call, NULL },
	  .sleeps = 2,
	  .way = IS_CALLED },
	{ .name = "wait",
	  .about = "what the holder waits for is signalled by the comer",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { wait_for_post, post, NULL },
	  .sleeps = 3,
	  .rescued = true },
	{ .name = "timed-wait",
	  .about = "the same, for a time",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { wait_for_post_or_time, post, NULL },
	  .sleeps = 3 },
	{ .name = "signal",
	  .about = "the comer waits for what the holder signals",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { post_twice, wait_for_post, wait_for_post },
	  .sleeps = 3 },
	{ .name = "broadcast",
	  .about = "the same, for all",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { post_to_all, wait_in_company, wait_for_post },
	  .sleeps = 3 },
	{ .name = "cancelled",
	  .about = "the first comer is cancelled where it waits",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { post, wait_cancellably, cancel },
	  .sleeps = 1,
	  .way = IS_CANCELLED },
	{ .name = "moved",
	  .about = "the holder is moved to another CPU, where its frame is not",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { plain, linger, NULL },
	  .sleeps = 1,
	  .way = IS_MOVED,
	  .begins = true },
	{ .name = "moved-nested",
	  .about = "the same in two sections that end as they began",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 75, 80 },
	  .activity = { plain_out_of_order, linger, NULL },
	  .sleeps = 1,
	  .way = IS_MOVED },
	{ .name = "moved-tried",
	  .about = "the holder is moved where it tries for an inner section, which is free",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { plain_try, plain_2, NULL },
	  .sleeps = 1,
	  .way = IS_MOVED },
	{ .name = "change",
	  .about = "another CPU takes the holder's mutex, which makes it a shared one",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { plain, linger, NULL },
	  .sleeps = 1,
	  .way = GOES_ON,
	  .pairs = true },
	{ .name = "change-by-two",
	  .about = "it changes the ceiling, which needs none; a third thread comes there meanwhile",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { plain, set_ceiling, plain },
	  .sleeps = 1,
	  .way = GOES_ON },
	{ .name = "change-tried",
	  .about = "the holder tries for an inner section whose mode the other CPU changes",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { plain_try, plain, NULL },
	  .sleeps = 1,
	  .way = GOES_ON,
	  .overtaken = true },
	{ .name = "freed-away",
	  .about = "the holder frees a mutex of the CPU that it has left, where a thread wants it",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { let_go, plain, NULL },
	  .sleeps = 1,
	  .way = FREES_AWAY,
	  .made = CARRIED },
	{ .name = "changed-before",
	  .about = "a sequence begins after the change of mode, and the other CPU comes again",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { plain, try_then_linger, NULL },
	  .sleeps = 1,
	  .way = GOES_ON,
	  .begins = true },
	{ .name = "changed",
	  .about = "the holder takes the other CPU's mutex, which is in use there",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { plain, linger, NULL },
	  .sleeps = 1,
	  .way = GOES_ON,
	  .made = FOREIGN },
	{ .name = "two-cpus",
	  .about = "both use a shared mutex",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { plain, linger, NULL },
	  .sleeps = 1,
	  .way = GOES_ON,
	  .made = SHARED },
	{ .name = "two-cpus-ceiling",
	  .about = "the other CPU changes the ceiling of a shared mutex",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { ask_for_ceiling, change_ceiling, NULL },
	  .sleeps = 1,
	  .way = GOES_ON,
	  .made = SHARED },
	{ .name = "two-cpus-timeout",
	  .about = "the other CPU waits only for a time",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { plain_twice, plain_in_time, NULL },
	  .sleeps = 1,
	  .way = GOES_ON },
	{ .name = "freed",
	  .about = "the next owner of the mutex destroys it, and takes its memory away",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { plain, take_away, NULL },
	  .sleeps = 1,
	  .way = GOES_ON },
	{ .name = "two-cpus-wait",
	  .about = "what the holder waits for is signalled on the other CPU",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { plain_wait, plain_post, NULL },
	  .sleeps = 3,
	  .way = GOES_ON,
	  .rescued = true },
	{ .name = "lent",
	  .about = "a thread that got its mutex in its sleep is lent a priority by the other CPU, "
		   "for a time",
	  .priority = { 60, 70, 80 },
	  .ceiling = { 80, 80, 80 },
	  .activity = { wait_then_hold, keep_then_look, watch_then_give_up },
	  .sleeps = 1,
	  .way = IS_LENT,
	  .made = SHARED },
};

const size_t scene_count = sizeof(scenes) / sizeof(scenes[0]);
