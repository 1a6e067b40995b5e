/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include "raw.h"

plf_mutex_t lock[LOCKS];
int deaths_reported;

/* Note that SELF is entering. Returns the old `around`, to be restored after the section. */
static inline int note_entering(struct actor *self, int which)
{
	int outer = self->around;
	int ceiling = (int)lock[which].ceiling;

	if (outer == 0)
		self->sections++;
	if (ceiling > outer)
		self->around = ceiling;
	return outer;
}

/* One section: between its ends only the library and plain data. */
static inline __attribute__((always_inline)) void section(struct actor *self, int which)
{
	int outer = note_entering(self, which);

	if (plf_mutex_lock(&lock[which]) != 0)
		violate("lock refused");
	self->inside = self->around;
	touch(which);
	self->inside = outer;
	if (plf_mutex_unlock(&lock[which]) != 0)
		violate("unlock refused");
	self->around = outer;
}

static inline __attribute__((always_inline)) void hook(struct actor *self)
{
	if (plf_wake_hook() != 0)
		violate("hook refused");
	look(self);
}

SHIPPED static void once(struct actor *self)
{
	hook(self);
	section(self, 0);
	look(self);
}

SHIPPED static void twice(struct actor *self)
{
	hook(self);
	section(self, 0);
	section(self, 0);
	look(self);
}

SHIPPED static void use_1(struct actor *self)
{
	hook(self);
	section(self, 1);
	look(self);
}

SHIPPED static void use_2(struct actor *self)
{
	hook(self);
	section(self, 2);
	look(self);
}

SHIPPED static void no_lock(struct actor *self)
{
	hook(self);
}

SHIPPED static void nest_2(struct actor *self, int first, int second)
{
	int outer = note_entering(self, first);

	if (plf_mutex_lock(&lock[first]) != 0)
		violate("lock refused");
	self->inside = self->around;
	touch(first);
	look(self);
	section(self, second);
	touch(first);
	look(self);
	self->inside = outer;
	if (plf_mutex_unlock(&lock[first]) != 0)
		violate("unlock refused");
	self->around = outer;
}

SHIPPED static void nest_rising(struct actor *self)
{
	int outer;

	hook(self);
	outer = note_entering(self, 0);
	if (plf_mutex_lock(&lock[0]) != 0)
		violate("lock refused");
	self->inside = self->around;
	look(self);
	nest_2(self, 1, 2);
	look(self);
	self->inside = outer;
	if (plf_mutex_unlock(&lock[0]) != 0)
		violate("unlock refused");
	self->around = outer;
	look(self);
}

SHIPPED static void nest_falling(struct actor *self)
{
	hook(self);
	nest_2(self, 2, 0);
	look(self);
}

/* The second section uses the lock of a sleeper that may have pushed upon the first. */
SHIPPED static void once_then_1(struct actor *self)
{
	hook(self);
	section(self, 0);
	section(self, 1);
}

SHIPPED static void nest_then_1(struct actor *self)
{
	hook(self);
	nest_2(self, 2, 0);
	section(self, 1);
}

SHIPPED static void nest_01(struct actor *self)
{
	hook(self);
	nest_2(self, 0, 1);
	look(self);
}

SHIPPED static void nest_10(struct actor *self)
{
	hook(self);
	nest_2(self, 1, 0);
	look(self);
}

/* Lock, although the holder may have died; repair the lock at once. */
SHIPPED static void once_or_reported(struct actor *self)
{
	int outer;
	int error;

	hook(self);
	outer = note_entering(self, 0);
	error = plf_mutex_lock(&lock[0]);
	if (error == EOWNERDEAD) {
		deaths_reported++;
		error = plf_mutex_consistent(&lock[0]);
	}
	if (error != 0)
		violate("lock refused");
	self->inside = self->around;
	touch(0);
	self->inside = outer;
	if (plf_mutex_unlock(&lock[0]) != 0)
		violate("unlock refused");
	self->around = outer;
	look(self);
}

/*
 * The first attempt must not wait, because its time is over. The hook waits for a section that
 * covers the actor. The trace of the attempt at the gate must not harm the lock or the hook.
 */
SHIPPED static void once_in_time(struct actor *self)
{
	int outer = note_entering(self, 0);
	int error = plf_mutex_timedlock(&lock[0], 0);

	if (error == ETIMEDOUT) {
		hook(self);
		error = plf_mutex_timedlock(&lock[0], UINT64_MAX);
	}
	if (error != 0)
		violate("lock refused");
	self->inside = self->around;
	touch(0);
	self->inside = outer;
	if (plf_mutex_unlock(&lock[0]) != 0)
		violate("unlock refused");
	self->around = outer;
	look(self);
}

/* The holder locks again and unlocks, and is still inside. */
static inline __attribute__((always_inline)) void lock_again(struct actor *self, int which)
{
	if (plf_mutex_lock(&lock[which]) != 0)
		violate("lock by the holder refused");
	touch(which);
	look(self);
	if (plf_mutex_unlock(&lock[which]) != 0)
		violate("unlock refused");
	touch(which);
	look(self);
}

/* Lock again while holding, alone and around a section of another lock. */
SHIPPED static void recur(struct actor *self)
{
	int outer;

	hook(self);
	outer = note_entering(self, 0);
	if (plf_mutex_lock(&lock[0]) != 0)
		violate("lock refused");
	self->inside = self->around;
	touch(0);
	lock_again(self, 0);
	if (plf_mutex_lock(&lock[0]) != 0)
		violate("lock by the holder refused");
	section(self, 1);
	if (plf_mutex_unlock(&lock[0]) != 0)
		violate("unlock refused");
	touch(0);
	self->inside = outer;
	if (plf_mutex_unlock(&lock[0]) != 0)
		violate("unlock refused");
	self->around = outer;
	look(self);
}

/* Ends inside its section, so that the thread's exit leaves the lock behind. */
static void die_inside(struct actor *self)
{
	once_or_reported(self);
	if (plf_mutex_lock(&lock[0]) != 0)
		violate("lock refused");
	self->active = false;
	pthread_exit(NULL);
}

/* Sleeps in its section, and wakes up there, whichever thread runs then. */
static void sleep_inside(struct actor *self)
{
	int outer;

	hook(self);
	outer = note_entering(self, 1);
	if (plf_mutex_lock(&lock[1]) != 0)
		violate("lock refused");
	self->inside = self->around;
	guarded[1].first++; /* half done, so that a thread inside meanwhile would notice */
	self->asleep = true;
	raw_nap(30000);
	self->asleep = false;
	guarded[1].second++;
	self->inside = outer;
	if (plf_mutex_unlock(&lock[1]) != 0)
		violate("unlock refused");
	self->around = outer;
}

/* From above the ceiling, move it if the lock is free. The next run moves it back. */
SHIPPED static void move_ceiling(struct actor *self)
{
	int before = (int)lock[0].ceiling;
	int error = plf_wake_hook();

	if (error != 0)
		violate("hook refused");
	error = plf_mutex_setceiling(&lock[0], before == 30 ? 31 : 30, NULL);
	if (error != 0 && error != EBUSY)
		violate("setceiling failed");
	if (error == 0 && actor[0].inside >= before)
		violate("the ceiling of a held lock was changed");
	look(self);
}

const struct scene scenes[] = {
	{ .name = "flat",
	  .about = "all three use one lock",
	  .priority = { 10, 20, 30 },
	  .ceiling = { 30, 30, 30 },
	  .activity = { once, once, once },
	  .inlined = true },
	{ .name = "first-use",
	  .about = "the same, through the slow path of a lock's first use",
	  .priority = { 10, 20, 30 },
	  .ceiling = { 30, 30, 30 },
	  .activity = { once, once, once },
	  .fresh = true },
	{ .name = "again",
	  .about = "the holder enters twice: its frame lives two lives",
	  .priority = { 10, 20, 30 },
	  .ceiling = { 30, 30, 30 },
	  .activity = { twice, once, once },
	  .inlined = true },
	{ .name = "timed",
	  .about = "the first comer comes with a time that is over, and again after the hook",
	  .priority = { 10, 20, 30 },
	  .ceiling = { 30, 30, 30 },
	  .activity = { twice, once_in_time, once } },
	{ .name = "bystander",
	  .about = "the first comer uses no lock",
	  .priority = { 10, 20, 30 },
	  .ceiling = { 30, 30, 30 },
	  .activity = { once, no_lock, once } },
	{ .name = "above",
	  .about = "the second comer is above the ceiling and has a lock of its own",
	  .priority = { 10, 20, 40 },
	  .ceiling = { 20, 40, 40 },
	  .activity = { once, once, use_1 } },
	{ .name = "rising",
	  .about = "three sections nested, ceilings 15, 25, 35; comers use the inner two",
	  .priority = { 10, 20, 30 },
	  .ceiling = { 15, 25, 35 },
	  .activity = { nest_rising, use_1, use_2 } },
	{ .name = "falling",
	  .about = "nested, ceilings 35 outside 15",
	  .priority = { 10, 20, 30 },
	  .ceiling = { 15, 25, 35 },
	  .activity = { nest_falling, use_1, use_2 } },
	{ .name = "recursive",
	  .about = "the holder locks again, alone and around another section",
	  .priority = { 10, 20, 30 },
	  .ceiling = { 20, 30, 30 },
	  .activity = { recur, once, use_1 },
	  .recursive = true },
	{ .name = "comer-nests",
	  .about = "the first comer nests two sections itself",
	  .priority = { 10, 20, 30 },
	  .ceiling = { 20, 30, 30 },
	  .activity = { once, nest_01, use_1 } },
	{ .name = "death",
	  .about = "the first comer dies in its section",
	  .priority = { 10, 20, 30 },
	  .ceiling = { 30, 30, 30 },
	  .activity = { once_or_reported, die_inside, NULL },
	  .mortal = true },
	{ .name = "sleeper",
	  .about = "the first comer, above the ceiling, sleeps in a section of its own",
	  .priority = { 10, 20, 30 },
	  .ceiling = { 15, 25, 35 },
	  .activity = { once_then_1, sleep_inside, NULL },
	  .robust_only = true },
	{ .name = "deep-sleeper",
	  .about = "the same, while the holder nests",
	  .priority = { 10, 20, 30 },
	  .ceiling = { 15, 25, 12 },
	  .activity = { nest_then_1, sleep_inside, NULL },
	  .robust_only = true },
	{ .name = "ceiling-moves",
	  .about = "the comer changes the lock's ceiling",
	  .priority = { 10, 40, 50 },
	  .ceiling = { 30, 30, 30 },
	  .activity = { once, move_ceiling, NULL } },
	{ .name = "ceiling-inside",
	  .about = "the same, while the holder nests",
	  .priority = { 10, 40, 50 },
	  .ceiling = { 30, 15, 30 },
	  .activity = { nest_10, move_ceiling, NULL } },
};

const size_t scene_count = sizeof(scenes) / sizeof(scenes[0]);
