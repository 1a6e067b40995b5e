/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_H
#define COMMAND_H

/* The command line of the programs that play scenes: proof.stepped reads their list and calls them.
 */
#include <stdbool.h>
#include <stddef.h>

struct scene_head {
	const char *name;
	const char *strengths; /* in which it is played; by commas */
	int cpus;
	bool has_pairs;
	const char *about;
};

struct command {
	const char *program;
	size_t scenes;
	struct scene_head (*head)(size_t scene);
	/* What was asked for: */
	size_t scene;
	int cpu[2];
	bool strict, singles_only;
	int patience_ms; /* how long a run may last */
};

/*
 * Read what was asked for. Does not return where that is the list of scenes (exit status 0), or
 * where there is no such option, scene, or scene of that strength (2).
 */
void read_command(struct command *command, int argc, char **argv);

/* Play it: the exit status. Prints what came of it, for proof.stepped. */
int perform_command(const struct command *command);

#endif
