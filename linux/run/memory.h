/* SPDX-License-Identifier: MIT */
#ifndef RUN_MEMORY_H
#define RUN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

enum {
	SIZE_TEXT = 32,
	STACK_BYTES = 128 << 10, /* of a real-time thread */
};

/* As "12 MiB", rounded up. */
const char *size_text(char text[SIZE_TEXT], size_t bytes);

/* Zeroed memory that is shared with a child, after a look at the memory that the machine has left
 * besides `also` bytes. NULL: it said why not, with an advice if too little is left. */
void *map_shared(const char *purpose, size_t bytes, size_t also, const char *advice);

/* Lock all memory of the process, now and later. 0, or it said why not and REFUSED. */
__attribute__((warn_unused_result)) int lock_memory(void);

/* Touch the caller's stack as deep as a real-time thread goes, so that it does not fault later. */
void touch_stack(void);

#endif
