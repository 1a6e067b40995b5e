/* SPDX-License-Identifier: MIT */
#include "command.h"

#include "play.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refuse(const struct command *command)
{
	fprintf(stderr,
		"usage: %s [--strict] [--cpu N] [--other N] [--singles] [--patience MS] SCENE\n"
		"       %s --list\n",
		command->program, command->program);
	exit(2);
}

static void list(const struct command *command)
{
	for (size_t i = 0; i < command->scenes; i++) {
		struct scene_head head = command->head(i);

		printf("%s\t%s\t%d\t%s\t%s\n", head.name, head.strengths, head.cpus,
		       head.has_pairs ? "pairs" : "singles", head.about);
	}
	exit(0);
}

static bool is_asked_for(const struct command *command, const char *name)
{
	struct scene_head head = command->head(command->scene);

	return strcmp(head.name, name) == 0 &&
	       (!command->strict || strstr(head.strengths, "strict") != NULL);
}

void read_command(struct command *command, int argc, char **argv)
{
	static const struct option options[] = { { "strict", no_argument, NULL, 's' },
						 { "cpu", required_argument, NULL, 'c' },
						 { "other", required_argument, NULL, 'o' },
						 { "singles", no_argument, NULL, '1' },
						 { "patience", required_argument, NULL, 'p' },
						 { "list", no_argument, NULL, 'l' },
						 { NULL, 0, NULL, 0 } };
	int option;

	command->cpu[1] = 1;
	command->patience_ms = 2000; /* a run takes less than 1 ms */
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 's')
			command->strict = true;
		else if (option == 'c' || option == 'o')
			command->cpu[option == 'o'] = atoi(optarg);
		else if (option == 'p')
			command->patience_ms = atoi(optarg);
		else if (option == '1')
			command->singles_only = true;
		else if (option == 'l')
			list(command);
		else
			refuse(command);
	}
	if (optind != argc - 1)
		refuse(command);
	for (command->scene = 0; command->scene < command->scenes; command->scene++)
		if (is_asked_for(command, argv[optind]))
			return;
	refuse(command);
}

int perform_command(const struct command *command)
{
	int status = perform(command->patience_ms);

	printf("{\"scene\": \"%s\", \"strength\": \"%s\", ", command->head(command->scene).name,
	       command->strict ? "strict" : "robust");
	print_report(status);
	return status;
}
