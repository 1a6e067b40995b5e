/* SPDX-License-Identifier: MIT */
#ifndef RUN_OUTPUT_H
#define RUN_OUTPUT_H

/* The file of the trace. Its room is taken before the run, so that nothing is lost after it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct output {
	const char *path;
	FILE *file;
};

/* Take room for `bytes` in a file that is not the plan. False: it said why not, and there is no
 * file. Until close_output() it is empty. */
__attribute__((warn_unused_result)) bool reserve_output(struct output *output, const char *path,
							const char *plan_path, size_t bytes);

/* Nothing was run: there is no trace. */
void discard_output(struct output *output);

/* Keep the text that was written and no more. False: it said why not. */
__attribute__((warn_unused_result)) bool close_output(struct output *output);

#endif
