/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_H
#define COMMAND_H

/* The command line of programs that play scenes. proof.stepped reads their list and calls them. */
#include <stdbool.h>
#include <stddef.h>

struct scene_head {
	const char *name;
	const char *strengths; /* at which it is played, separated by commas */
	int cpus;
	bool has_pairs;
	const char *about;
};

struct command {
	const char *program;
	size_t scenes;
	struct scene_head (*head)(size_t scene);
	/* the request: */
	size_t scene;
	int cpu[2];
	bool strict, singles_only;
	int patience_ms; /* longest time of a run */
};

/*
 * Read the request. Exits with status 0 after the list of scenes. Exits with 2 if there is no such
 * option, scene or strength of the scene.
 */
void read_command(struct command *command, int argc, char **argv);

/* Play the scene, and print the result for proof.stepped. Returns the exit status. */
int perform_command(const struct command *command);

#endif
