/* SPDX-License-Identifier: MIT */

/*
 * Real threads, the real kernel, the shipped library: comers arrive at every
 * instruction boundary of hook, lock and unlock, alone and in every pair. One scene at
 * one strength a process: it prints one line of JSON.
 */
#define _GNU_SOURCE
#include "play.h"
#include "raw.h"
#include "scene.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char program[] = "step";

static const struct scene *scene;
static unsigned attach_flags;
static int cpu;
static bool singles_only;
static int patience_ms = 2000; /* a run lasts less than one */

void step_on_stage(struct actor *self)
{
	int error = plf_attach(self->priority, cpu, attach_flags);

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

static void set_stage(void)
{
	for (int i = 1; i < ACTORS; i++)
		if (actor[i].activity != NULL)
			start_comer(&actor[i]);
	for (int i = 0; i < LOCKS; i++)
		plf_mutex_init(&lock[i], scene->ceiling[i]);
	for (int i = 0; i < LOCKS; i++)
		if (plf_mutex_lock(&lock[i]) != 0 || plf_mutex_unlock(&lock[i]) != 0)
			could_not_run("first lock", EINVAL);
}

void clear_scene(void)
{
	clear_notes();
	/* What the last run left there must not help this one. */
	for (int i = 1; i < PLF_FRAMES; i++)
		plf_self->frame[i].prev = 0;
	for (int i = 0; i < LOCKS && scene->fresh; i++)
		plf_mutex_init(&lock[i], scene->ceiling[i]);
	deaths_reported = 0;
}

/* A comer that went to sleep is not done when the holder is. */
void wait_for_all(void)
{
	while (actor[1].asleep)
		raw_nap(50000);
}

/* Of a lock whose holder died only the next locker, whichever it is, gets EOWNERDEAD. */
static void check_death(void)
{
	int error = plf_mutex_lock(&lock[0]);

	if (error == EOWNERDEAD) {
		deaths_reported++;
		error = plf_mutex_consistent(&lock[0]);
	}
	if (error != 0 || plf_mutex_unlock(&lock[0]) != 0)
		violate("lock refused after a death");
	/* Once more: the fast path is open again for the next run. */
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
		    plf_word_rank(lock[i].word) != plf_rank((uint32_t)cpu, lock[i].ceiling))
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
	if (!singles_only)
		sweep_pairs();
}

static const struct scene *find_scene(const char *name)
{
	for (size_t i = 0; i < scene_count; i++)
		if (strcmp(scenes[i].name, name) == 0)
			return &scenes[i];
	return NULL;
}

static int usage(void)
{
	fprintf(stderr, "usage: step [--strict] [--cpu N] [--singles] [--patience MS] SCENE\n"
			"       step --list\n");
	return 2;
}

static int list(void)
{
	for (size_t i = 0; i < scene_count; i++)
		printf("%s\t%s\t1\t%s\t%s\n", scenes[i].name,
		       scenes[i].robust_only ? "robust" : "robust,strict",
		       scenes[i].activity[2] != NULL ? "pairs" : "singles", scenes[i].about);
	return 0;
}

static int parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "strict", no_argument, NULL, 's' },  { "cpu", required_argument, NULL, 'c' },
		{ "singles", no_argument, NULL, '1' }, { "patience", required_argument, NULL, 'p' },
		{ "list", no_argument, NULL, 'l' },    { NULL, 0, NULL, 0 }
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 's')
			attach_flags |= PLF_STRICT;
		else if (option == 'c')
			cpu = atoi(optarg);
		else if (option == 'p')
			patience_ms = atoi(optarg);
		else if (option == '1')
			singles_only = true;
		else
			return option == 'l' ? list() : usage();
	}
	scene = optind == argc - 1 ? find_scene(argv[optind]) : NULL;
	if (scene != NULL && scene->robust_only && (attach_flags & PLF_STRICT) != 0)
		scene = NULL;
	return scene == NULL ? usage() : -1;
}

int main(int argc, char **argv)
{
	int status = parse(argc, argv);

	if (status >= 0)
		return status;
	cast_actors();
	status = perform(patience_ms);
	printf("{\"scene\": \"%s\", \"strength\": \"%s\", ", scene->name,
	       attach_flags & PLF_STRICT ? "strict" : "robust");
	print_report(status);
	return status;
}
