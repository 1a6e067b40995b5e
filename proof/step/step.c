/* SPDX-License-Identifier: MIT */

/*
 * Real threads, the real kernel, the shipped library: comers arrive at every instruction boundary
 * of hook, lock and unlock, alone and in every pair. A process plays one scene at one strength, and
 * prints one line of JSON.
 */
#define _GNU_SOURCE
#include "command.h"
#include "play.h"
#include "raw.h"
#include "scene.h"

#include <errno.h>
#include <stdio.h>

const char program[] = "step";

static const struct scene *scene;
static unsigned attach_flags;
static struct command asked;

void step_on_stage(struct actor *self)
{
	int error = plf_attach(self->priority, asked.cpu[0], attach_flags);

	if (error == EPERM)
		fprintf(stderr,
			"step: SCHED_FIFO is denied: needs RLIMIT_RTPRIO >= %d or CAP_SYS_NICE\n",
			self->priority);
	if (error != 0)
		could_not_run("plf_attach", error);
}

uint64_t gate_waits(void)
{
	struct plf_stats stats;

	plf_get_stats(&stats);
	return stats.gate_waits;
}

static void cast_actors(void)
{
	for (int i = 0; i < ACTORS; i++) {
		actor[i].index = i;
		actor[i].priority = scene->priority[i];
		actor[i].activity = scene->activity[i];
	}
}

static void init_locks(void)
{
	for (int i = 0; i < LOCKS; i++) {
		plf_mutex_init(&lock[i], scene->ceiling[i]);
		plf_mutex_settype(&lock[i],
				  scene->recursive ? PLF_MUTEX_RECURSIVE : PLF_MUTEX_NORMAL);
	}
}

static void set_stage(void)
{
	for (int i = 1; i < ACTORS; i++)
		if (actor[i].activity != NULL)
			start_comer(&actor[i]);
	init_locks();
	for (int i = 0; i < LOCKS; i++)
		if (plf_mutex_lock(&lock[i]) != 0 || plf_mutex_unlock(&lock[i]) != 0)
			could_not_run("first lock", EINVAL);
}

void clear_scene(void)
{
	clear_notes();
	/* Clear the links of the last run, because they could hide a missing store in this run. */
	for (int i = 1; i < PLF_FRAMES; i++)
		plf_self->frame[i].prev = 0;
	if (scene->fresh)
		init_locks();
	deaths_reported = 0;
}

/* A comer may still sleep when the holder has ended. */
void wait_for_all(void)
{
	while (actor[1].asleep)
		raw_nap(50000);
}

/* Exactly one locker after a death must get EOWNERDEAD: a comer, the holder, or this check. */
static void check_death(void)
{
	int error = plf_mutex_lock(&lock[0]);

	if (error == EOWNERDEAD) {
		deaths_reported++;
		error = plf_mutex_consistent(&lock[0]);
	}
	if (error != 0 || plf_mutex_unlock(&lock[0]) != 0)
		violate("lock refused after a death");
	/* Once more, so that the fast path is open for the next run. */
	if (plf_mutex_lock(&lock[0]) != 0 || plf_mutex_unlock(&lock[0]) != 0)
		violate("lock refused after a repair");
	if (deaths_reported != (first.happened ? 1 : 0))
		violate(deaths_reported == 0 ? "a death went unreported"
					     : "a death was reported twice");
	if (first.happened) {
		pthread_join(actor[1].thread, NULL);
		start_comer(&actor[1]);
	}
}

void check_end(void)
{
	if (scene->mortal)
		check_death();
	check_actors();
	for (int i = 0; i < LOCKS; i++)
		if (plf_word_ref(lock[i].word) != 0)
			violate("a lock was left held");
	for (int i = 0; i < LOCKS; i++)
		if (plf_word_rank(lock[i].word) != 0 &&
		    plf_word_rank(lock[i].word) !=
			    plf_rank((uint32_t)asked.cpu[0], lock[i].ceiling))
			violate("a lock shows another ceiling than it has");
	if (*plf_self->top != 0)
		violate("the stack was left unempty");
	for (int i = 0; i < PLF_FRAMES; i++)
		if (plf_self->frame[i].gate.word != 0 || plf_self->frame[i].second.word != 0)
			violate("a gate was left shut");
}

static void check_inline(void)
{
	for (size_t k = 0; k < holder_trace.count && scene->inlined; k++)
		if (!is_inline(holder_trace.at[k].address))
			violate("the uncontended path calls the library");
	if (violation != NULL)
		fail();
}

void play_scene(void)
{
	set_stage();
	trace_holder();
	check_inline();
	sweep_singles(enter_scene, &actor[1], 1);
	if (actor[2].activity == NULL)
		return;
	sweep_singles(enter_scene, &actor[2], 1);
	if (!asked.singles_only)
		sweep_pairs();
}

static struct scene_head head_of(size_t i)
{
	return (struct scene_head) { .name = scenes[i].name,
				     .strengths =
					     scenes[i].robust_only ? "robust" : "robust,strict",
				     .cpus = 1,
				     .has_pairs = scenes[i].activity[2] != NULL,
				     .about = scenes[i].about };
}

int main(int argc, char **argv)
{
	asked = (struct command) { .program = "step", .scenes = scene_count, .head = head_of };
	read_command(&asked, argc, argv);
	scene = &scenes[asked.scene];
	if (asked.strict)
		attach_flags |= PLF_STRICT;
	cast_actors();
	return perform_command(&asked);
}
