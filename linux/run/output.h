/* SPDX-License-Identifier: MIT */
#ifndef RUN_OUTPUT_H
#define RUN_OUTPUT_H

/* The file of the trace. Its room is taken before the run, so that no event is lost afterwards. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct output {
	const char *path;
	FILE *file;
};

/*
 * Take room for `bytes` in the file, which must not be the plan. Until close_output() it is empty.
 * False: a message says why, and there is no file.
 */
__attribute__((warn_unused_result)) bool reserve_output(struct output *output, const char *path,
							const char *plan_path, size_t bytes);

/* Remove the file, because nothing was run. */
void discard_output(struct output *output);

/* Keep only the text that was written. False: a message says why. */
__attribute__((warn_unused_result)) bool close_output(struct output *output);

#endif
