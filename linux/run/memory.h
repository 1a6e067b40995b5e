/* SPDX-License-Identifier: MIT */
#ifndef RUN_MEMORY_H
#define RUN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

enum {
	SIZE_TEXT = 32,
	STACK_BYTES = 128 << 10, /* of a real-time thread */
};

/* The size as "12 MiB", rounded up. */
const char *size_text(char text[SIZE_TEXT], size_t bytes);

/*
 * Map zeroed memory that is shared with a child. First check that the machine has this memory left,
 * and `also` bytes more. NULL: a message says why not; if too little is left, with the advice.
 */
void *map_shared(const char *purpose, size_t bytes, size_t also, const char *advice);

/* Lock all memory of the process, now and later. Returns 0; or REFUSED, after a message. */
__attribute__((warn_unused_result)) int lock_memory(void);

/*
 * Touch as much of the caller's stack as a real-time thread uses, so that it does not fault later.
 */
void touch_stack(void);

#endif
