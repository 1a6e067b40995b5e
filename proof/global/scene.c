/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include "raw.h"
#include "stand.h"

plf_mutex_t lock[LOCKS];
int deaths_reported;
bool died, died_inside;
uint32_t occupied, may_leave;

/* ---- Sections ---------------------------------------------------------- */

/* Repairs the data that a dead thread left half done. */
static void repair(int which)
{
	deaths_reported++;
	guarded[which].first = guarded[which].second;
	if (plf_mutex_consistent(&lock[which]) != 0)
		violate("the data of a dead thread cannot be repaired");
}

/* Returns whether the thread is inside. Only a thread that was moved away may be refused. */
static bool may_enter(struct actor *self, int which, int error)
{
	if (error == EOWNERDEAD)
		repair(which);
	if (error == 0 || error == EOWNERDEAD)
		return true;
	if (error != EXDEV || !side_notes[self->index].was_moved)
		violate("lock refused");
	return false;
}

static void note_left(struct actor *self, int outer)
{
	self->around = outer;
	self->wants = 0;
}

static inline __attribute__((always_inline)) bool enter_by(struct actor *self, int which,
							   int (*locks)(plf_mutex_t *))
{
	self->wants = which + 1;
	self->around = 1;
	if (!may_enter(self, which, locks(&lock[which])))
		return false;
	self->inside = 1;
	note_entered(self, which);
	return true;
}

static inline __attribute__((always_inline)) void leave(struct actor *self, int which, int outer)
{
	int error;

	self->inside = outer;
	self->wants = 0;
	error = plf_mutex_unlock(&lock[which]);
	if (error != 0 && !side_notes[self->index].was_moved)
		violate("unlock refused");
	note_left(self, outer);
}

static inline __attribute__((always_inline)) void section(struct actor *self, int which, int outer)
{
	if (enter_by(self, which, plf_mutex_lock)) {
		touch(which);
		leave(self, which, outer);
	} else {
		note_left(self, outer);
	}
}

static inline __attribute__((always_inline)) void hook(struct actor *self)
{
	int error = plf_wake_hook();

	if (error == 0)
		look_around(self);
	else if (error != EXDEV || !side_notes[self->index].was_moved)
		violate("hook refused");
}

/* ---- Activities -------------------------------------------------------- */

SHIPPED static void once(struct actor *self)
{
	hook(self);
	section(self, 0, 0);
	look_around(self);
}

SHIPPED static void twice(struct actor *self)
{
	hook(self);
	section(self, 0, 0);
	section(self, 0, 0);
	look_around(self);
}

SHIPPED static void use_1(struct actor *self)
{
	hook(self);
	section(self, 1, 0);
	look_around(self);
}

SHIPPED static void no_lock(struct actor *self)
{
	hook(self);
}

SHIPPED static void nest(struct actor *self, int outer, int inner)
{
	hook(self);
	if (enter_by(self, outer, plf_mutex_lock)) {
		touch(outer);
		section(self, inner, 1);
		touch(outer);
		leave(self, outer, 0);
	}
	look_around(self);
}

SHIPPED static void nest_in_local(struct actor *self)
{
	nest(self, 2, 0);
}

SHIPPED static void nest_in_global(struct actor *self)
{
	nest(self, 1, 0);
}

SHIPPED static void use_0_and_1(struct actor *self)
{
	hook(self);
	section(self, 0, 0);
	section(self, 1, 0);
	look_around(self);
}

SHIPPED static void try_once(struct actor *self)
{
	int error;

	hook(self);
	self->wants = 1;
	self->around = 1;
	error = plf_mutex_trylock(&lock[0]);
	if (error == EBUSY) {
		note_left(self, 0);
	} else if (may_enter(self, 0, error)) {
		self->inside = 1;
		note_entered(self, 0);
		touch(0);
		leave(self, 0, 0);
	}
}

/* Occupies mutex 0 until no thread of CPU 0 can go on. */
static void occupy(struct actor *self)
{
	if (!enter_by(self, 0, plf_mutex_lock))
		return;
	guarded[0].first++; /* half done, which a thread that comes meanwhile would see */
	__atomic_store_n(&occupied, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&may_leave, __ATOMIC_SEQ_CST) == 0)
		raw_wait(&may_leave, 0);
	if (scene->dies)
		vanish(self);
	guarded[0].second++;
	leave(self, 0, 0);
}

static void occupy_and_return(struct actor *self)
{
	occupy(self);
	section(self, 0, 0);
}

/* Frees the mutex for the thread in line, in a section that is more urgent than this thread. */
SHIPPED static void free_inside(struct actor *self)
{
	hook(self);
	if (enter_by(self, 1, plf_mutex_lock)) {
		guarded[1].first++;
		free_occupant();
		guarded[1].second++;
		leave(self, 1, 0);
	}
	look_around(self);
}

void vanish(struct actor *self)
{
	died = true;
	died_inside = self->inside != 0;
	self->active = false;
	self->inside = 0;
	self->around = 0;
	self->wants = 0;
	side_notes[self->index].is_in_line = false;
	raw_syscall(SYS_exit, 0, 0, 0, 0, 0, 0);
	__builtin_unreachable();
}

#define OTHER_CPU                                                                                  \
	{                                                                                          \
		false, true, true                                                                  \
	}

const struct scene scenes[] = {
	{ .name = "flat",
	  .about = "all three use one mutex, on one CPU",
	  .priority = { 10, 20, 30 },
	  .activity = { once, once, once },
	  .pairs = true,
	  .sleeps = 1 },
	{ .name = "nested",
	  .about = "inside another one across CPUs, which the comers use",
	  .priority = { 10, 20, 30 },
	  .activity = { nest_in_global, use_1, use_0_and_1 },
	  .sleeps = 2 },
	{ .name = "nested-local",
	  .about = "inside one of this CPU, and the comers use both kinds",
	  .priority = { 10, 20, 30 },
	  .activity = { nest_in_local, once, nest_in_local },
	  .sleeps = 2 },
	{ .name = "two-cpus",
	  .about = "a thread of the other CPU locks while the holder stands still",
	  .priority = { 10, 20 },
	  .is_away = OTHER_CPU,
	  .activity = { twice, once },
	  .way = GOES_ON },
	{ .name = "two-cpus-twice",
	  .about = "the same, and it locks again",
	  .priority = { 30, 20 },
	  .is_away = OTHER_CPU,
	  .activity = { twice, twice },
	  .way = GOES_ON },
	{ .name = "two-cpus-nested",
	  .about = "the same, inside a section of the holder's CPU",
	  .priority = { 10, 20 },
	  .is_away = OTHER_CPU,
	  .activity = { nest_in_local, once },
	  .way = GOES_ON },
	{ .name = "trylock",
	  .about = "the holder only tries",
	  .priority = { 10, 20 },
	  .is_away = OTHER_CPU,
	  .activity = { try_once, once },
	  .way = GOES_ON },
	{ .name = "freed",
	  .about = "a thread of the other CPU unlocks while the next one is on its way into the "
		   "line",
	  .priority = { 10, 0, 20 },
	  .is_away = OTHER_CPU,
	  .activity = { once, NULL, occupy },
	  .way = IS_FREED,
	  .occupied = true },
	{ .name = "freed-and-back",
	  .about = "the same, and it locks again at once",
	  .priority = { 10, 0, 20 },
	  .is_away = OTHER_CPU,
	  .activity = { once, NULL, occupy_and_return },
	  .way = IS_FREED,
	  .occupied = true },
	{ .name = "waits",
	  .about = "a more urgent thread comes while the holder waits, and waits, too",
	  .priority = { 10, 20, 15 },
	  .is_away = { false, false, true },
	  .activity = { once, once, occupy },
	  .occupied = true,
	  .sleeps = 1 },
	{ .name = "waits-bystander",
	  .about = "the same, and it uses no mutex",
	  .priority = { 10, 20, 15 },
	  .is_away = { false, false, true },
	  .activity = { once, no_lock, occupy },
	  .occupied = true,
	  .sleeps = 1 },
	{ .name = "order-up",
	  .about = "two of CPU 0 in line, and one of CPU 1 returns between them",
	  .priority = { 10, 30, 20 },
	  .is_away = { false, false, true },
	  .activity = { once, once, occupy_and_return },
	  .way = IS_SEEN,
	  .occupied = true },
	{ .name = "order-down",
	  .about = "the same, and it is the least urgent",
	  .priority = { 10, 30, 5 },
	  .is_away = { false, false, true },
	  .activity = { once, once, occupy_and_return },
	  .way = IS_SEEN,
	  .occupied = true },
	{ .name = "granted",
	  .about = "a thread in line becomes the owner while a less urgent section of its CPU is "
		   "open",
	  .priority = { 10, 30, 20 },
	  .is_away = { false, false, true },
	  .activity = { use_1, once, occupy },
	  .way = IS_FREED,
	  .occupied = true,
	  .lined = true,
	  .sleeps = 1 },
	{ .name = "granted-behind",
	  .about = "the same, and the section is more urgent",
	  .priority = { 30, 10, 20 },
	  .is_away = { false, false, true },
	  .activity = { use_1, once, occupy },
	  .way = IS_FREED,
	  .occupied = true,
	  .lined = true,
	  .sleeps = 1 },
	{ .name = "granted-inside",
	  .about = "the holder waits, and becomes the owner inside a comer's section",
	  .priority = { 10, 30, 20 },
	  .is_away = { false, false, true },
	  .activity = { once, free_inside, occupy },
	  .occupied = true,
	  .sleeps = 1 },
	{ .name = "death",
	  .about = "an owner dies; threads of both CPUs come",
	  .priority = { 10, 30, 20 },
	  .is_away = { false, false, true },
	  .activity = { once, once, once },
	  .way = IS_KILLED },
	{ .name = "death-granted",
	  .about = "a thread that waited dies; threads of both CPUs are in line, that of CPU 1 "
		   "first",
	  .priority = { 10, 30, 20 },
	  .is_away = { false, false, true },
	  .activity = { once, once, occupy_and_return },
	  .way = IS_KILLED,
	  .occupied = true },
	{ .name = "death-granted-here",
	  .about = "the same, that of CPU 0 first",
	  .priority = { 10, 30, 5 },
	  .is_away = { false, false, true },
	  .activity = { once, once, occupy_and_return },
	  .way = IS_KILLED,
	  .occupied = true },
	{ .name = "death-alone",
	  .about = "the same, and no thread waits",
	  .priority = { 10, 30, 20 },
	  .is_away = { false, false, true },
	  .activity = { no_lock, once, occupy },
	  .way = IS_KILLED,
	  .occupied = true },
	{ .name = "left",
	  .about = "the owner dies while the next one is on its way into the line",
	  .priority = { 10, 0, 20 },
	  .is_away = OTHER_CPU,
	  .activity = { once, NULL, occupy },
	  .way = IS_FREED,
	  .occupied = true,
	  .dies = true },
	{ .name = "left-before",
	  .about = "the same, and a less urgent one of the same CPU is in line",
	  .priority = { 10, 5, 20 },
	  .is_away = { false, false, true },
	  .activity = { once, once, occupy },
	  .way = IS_FREED,
	  .occupied = true,
	  .dies = true,
	  .lined = true,
	  .sleeps = 1 },
	{ .name = "left-and-comes",
	  .about = "the owner dies, and a thread of its CPU comes while the next one stands still",
	  .priority = { 10, 25, 20 },
	  .is_away = OTHER_CPU,
	  .activity = { once, once, occupy },
	  .way = GOES_ON,
	  .occupied = true,
	  .dies = true,
	  .sleeps = 2 },
	{ .name = "moved",
	  .about = "the holder is moved to the other CPU, and a thread comes on the one it left",
	  .priority = { 10, 20 },
	  .activity = { once, once },
	  .way = IS_MOVED,
	  .sleeps = 1 },
	{ .name = "moved-waiting",
	  .about = "the same while it is in line, or on its way there",
	  .priority = { 10, 20, 15 },
	  .is_away = { false, false, true },
	  .activity = { once, once, occupy },
	  .way = IS_MOVED,
	  .occupied = true,
	  .sleeps = 1 },
	{ .name = "lent",
	  .about = "a thread without the hook takes the holder's CPU, and one of the other CPU "
		   "waits",
	  .priority = { 10, 20 },
	  .is_away = OTHER_CPU,
	  .activity = { once, once },
	  .way = IS_LENT },
};

const size_t scene_count = sizeof(scenes) / sizeof(scenes[0]);
