// SPDX-License-Identifier: GPL-2.0

/*
 * immpc_test.ko: kernel threads act out the promises of immpc_mutex.h while the module is loaded.
 * If a promise was broken, loading fails, and the kernel's log names it.
 */
#include "../immpc_mutex.h"
#include "team.h"

#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/random.h>

enum { LOW = 10, CEILING = 30, SLEEP_US = 2000, SETTLE_MS = 20 };

static struct immpc_mutex outer, inner;
static DEFINE_IMMPC_MUTEX(defined, CEILING);

static void make(int outer_ceiling, int inner_ceiling, bool eager)
{
	immpc_mutex_init(&outer, outer_ceiling);
	immpc_mutex_init(&inner, inner_ceiling);
	immpc_mutex_set_eager(&outer, eager);
	immpc_mutex_set_eager(&inner, eager);
	forget_notes();
}

static void run(struct actor *actor)
{
	actor_start(actor);
	msleep(SETTLE_MS);
}

/* ---- The ceiling rule --------------------------------------------------- */

static void come(struct actor *self)
{
	actor_wait(self);
	note(self->letter);
}

static struct actor comer = { .play = come, .letter = 'c' };
static struct actor second = { .play = come, .letter = 'd' };

static void enter_and_ring(struct actor *self)
{
	immpc_mutex_lock(&outer);
	note('(');
	actor_wake(&comer);
	note(')');
	immpc_mutex_unlock(&outer);
	note('.');
}

static void play_one_comer(int ceiling, int priority, int base, bool eager, const char *expected)
{
	struct actor owner = { .priority = base, .play = enter_and_ring, .letter = 'o' };

	make(ceiling, ceiling, eager);
	comer.priority = priority;
	run(&comer);
	run(&owner);
	actor_join(&owner);
	actor_join(&comer);
	EXPECT_NOTES(expected);
}

static void no_task_up_to_the_ceiling_overtakes(bool eager)
{
	static const int ceilings[] = { LOW + 1, CEILING, 97, 98 };

	for (size_t i = 0; i < ARRAY_SIZE(ceilings); i++) {
		play_one_comer(ceilings[i], ceilings[i], LOW, eager, "()c.");
		play_one_comer(ceilings[i], ceilings[i] + 1, LOW, eager, "(c).");
		play_one_comer(ceilings[i], LOW + 1, 0, eager, "()c.");
	}
	play_one_comer(CEILING, CEILING, CEILING, eager, "().c");
}

static void nest_and_ring(struct actor *self)
{
	immpc_mutex_lock(&outer);
	immpc_mutex_lock(&inner);
	note('(');
	actor_wake(&comer);
	actor_wake(&second);
	note(')');
	immpc_mutex_unlock(&inner);
	note('.');
	immpc_mutex_unlock(&outer);
	note(';');
}

/* Release the older section first. The newer section still counts. */
static void cross_and_ring(struct actor *self)
{
	immpc_mutex_lock(&outer);
	immpc_mutex_lock(&inner);
	note('(');
	actor_wake(&comer);
	immpc_mutex_unlock(&outer);
	note(')');
	actor_wake(&second);
	note('.');
	immpc_mutex_unlock(&inner);
	note(';');
}

/* Release the older section before another task comes. */
static void cross_and_ring_late(struct actor *self)
{
	immpc_mutex_lock(&outer);
	immpc_mutex_lock(&inner);
	immpc_mutex_unlock(&outer);
	note('(');
	actor_wake(&comer);
	actor_wake(&second);
	note(')');
	immpc_mutex_unlock(&inner);
	note(';');
}

static void play_two_comers(void (*play)(struct actor *), int outer_ceiling, int inner_ceiling,
			    bool eager, const char *expected)
{
	struct actor owner = { .priority = LOW, .play = play, .letter = 'o' };

	make(outer_ceiling, inner_ceiling, eager);
	comer.priority = 20;
	second.priority = 30;
	run(&comer);
	run(&second);
	run(&owner);
	actor_join(&owner);
	actor_join(&comer);
	actor_join(&second);
	EXPECT_NOTES(expected);
}

static void the_highest_of_all_held_counts(bool eager)
{
	play_two_comers(nest_and_ring, 20, 30, eager, "()d.c;");
	play_two_comers(nest_and_ring, 30, 20, eager, "().dc;");
	play_two_comers(cross_and_ring, 30, 20, eager, "()d.c;");
	play_two_comers(cross_and_ring, 20, 30, eager, "().dc;");
	play_two_comers(cross_and_ring_late, 30, 20, eager, "(d)c;");
	play_two_comers(cross_and_ring_late, 20, 30, eager, "()dc;");
}

/* ---- In line ------------------------------------------------------------ */

static void sleep_inside(struct actor *self)
{
	immpc_mutex_lock(&outer);
	note('(');
	actor_wait(self);
	EXPECT(own_priority() == (int)outer.section.ceiling);
	note(')');
	immpc_mutex_unlock(&outer);
}

static void stand_in_line(struct actor *self)
{
	immpc_mutex_lock(&outer);
	EXPECT(own_priority() == (int)outer.section.ceiling);
	note(self->letter);
	immpc_mutex_unlock(&outer);
}

static void the_line_is_by_priority(bool eager, int cpu)
{
	struct actor owner = { .priority = LOW, .play = sleep_inside, .letter = 'o' };
	struct actor line[] = {
		{ .priority = 20, .play = stand_in_line, .letter = 'a', .cpu = cpu },
		{ .priority = 40, .play = stand_in_line, .letter = 'b' },
		{ .priority = 30, .play = stand_in_line, .letter = 'c', .cpu = cpu },
		{ .priority = 30, .play = stand_in_line, .letter = 'd' },
		{ .priority = 0, .play = stand_in_line, .letter = 'e', .cpu = cpu },
	};

	make(60, 60, eager);
	run(&owner);
	for (size_t i = 0; i < ARRAY_SIZE(line); i++)
		run(&line[i]);
	actor_wake(&owner);
	actor_join(&owner);
	for (size_t i = 0; i < ARRAY_SIZE(line); i++)
		actor_join(&line[i]);
	EXPECT_NOTES("()bcdae");
}

static void ring_and_leave(struct actor *self)
{
	immpc_mutex_lock(&outer);
	actor_wait(self);
	actor_wake(&comer);
	immpc_mutex_unlock(&outer);
}

/* A task more urgent than the first in line, but not above the ceiling, does not overtake it. */
static void a_grant_finds_the_ceiling(bool eager)
{
	struct actor owner = { .priority = LOW, .play = ring_and_leave, .letter = 'o' };
	struct actor waiter = { .priority = 20, .play = stand_in_line, .letter = 'w' };

	make(60, 60, eager);
	comer.priority = 40;
	run(&comer);
	run(&owner);
	run(&waiter);
	actor_wake(&owner);
	actor_join(&owner);
	actor_join(&waiter);
	actor_join(&comer);
	EXPECT_NOTES("wc");
}

static void change_ceiling(struct actor *self)
{
	immpc_mutex_set_ceiling(&outer, 50);
	note('=');
}

/*
 * The new ceiling counts from the next section on. The changing task waits until the mutex is free.
 */
static void a_ceiling_changes_while_free(bool eager)
{
	struct actor owner = { .priority = LOW, .play = sleep_inside, .letter = 'o' };
	struct actor changer = { .priority = LOW, .play = change_ceiling, .letter = 'x' };

	make(CEILING, CEILING, eager);
	run(&owner);
	run(&changer);
	actor_wake(&owner);
	actor_join(&owner);
	actor_join(&changer);
	EXPECT_NOTES("()=");
	EXPECT(outer.section.ceiling == 50);
}

/* ---- On all CPUs -------------------------------------------------------- */

enum { CROWD = 6, ROUNDS = 1500, LOCKS = 3 };

static struct immpc_mutex lock[LOCKS];
static struct {
	unsigned long first, second;
} guarded[LOCKS];

static void touch(int which)
{
	guarded[which].first++;
	udelay(get_random_u32_below(5));
	if (get_random_u32_below(50) == 0)
		usleep_range(20, 50);
	guarded[which].second++;
	EXPECT(guarded[which].first == guarded[which].second);
}

/* Lock in a fixed order, so that the waits form no cycle. */
static void lock_at_random(struct actor *self)
{
	for (int round = 0; round < ROUNDS; round++) {
		u32 set = get_random_u32_below(1 << LOCKS);

		for (int i = 0; i < LOCKS; i++)
			if (set & 1U << i)
				immpc_mutex_lock(&lock[i]);
		for (int i = LOCKS - 1; i >= 0; i--)
			if (set & 1U << i) {
				touch(i);
				immpc_mutex_unlock(&lock[i]);
			}
		EXPECT(own_priority() == self->priority);
		if (round % 16 == 0)
			usleep_range(10, 100);
	}
}

static void exclusion_holds_on_all_cpus(bool eager)
{
	struct actor crowd[CROWD] = {};

	for (int i = 0; i < LOCKS; i++) {
		immpc_mutex_init(&lock[i], 90 - 10 * i);
		immpc_mutex_set_eager(&lock[i], eager);
	}
	for (int i = 0; i < CROWD; i++) {
		crowd[i] = (struct actor) { .priority = 10 * i,
					    .play = lock_at_random,
					    .letter = (char)('a' + i),
					    .cpu = i % (int)num_online_cpus() };
		actor_start(&crowd[i]);
	}
	for (int i = 0; i < CROWD; i++)
		actor_join(&crowd[i]);
}

/* ---- All ---------------------------------------------------------------- */

static void play_all(bool eager)
{
	no_task_up_to_the_ceiling_overtakes(eager);
	the_highest_of_all_held_counts(eager);
	the_line_is_by_priority(eager, 0);
	a_grant_finds_the_ceiling(eager);
	a_ceiling_changes_while_free(eager);
	exclusion_holds_on_all_cpus(eager);
}

static int __init test_init(void)
{
	EXPECT(defined.section.ceiling == CEILING);
	immpc_mutex_lock(&defined);
	immpc_mutex_unlock(&defined);
	play_all(false);
	play_all(true);
	pr_info("immpc_test: %d failures\n", failures);
	return failures ? -EINVAL : 0;
}

static void __exit test_exit(void)
{
}

module_init(test_init);
module_exit(test_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("test of immpc_mutex");
