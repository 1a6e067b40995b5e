/* SPDX-License-Identifier: MIT */
/* Arrays that grow. If memory runs out, a function leaves by longjmp(way_out). */
#ifndef PLAFOND_PROOF_GROW_H
#define PLAFOND_PROOF_GROW_H

#include <setjmp.h>
#include <stddef.h>

/* Values of longjmp(way_out): the reason why an exploration ends. */
enum outcome {
	EXPLORED,
	STOPPED, /* by the system: a rule is broken, or it failed */
	LIVELOCK,
	CIRCLES,
	NO_MEMORY,
};

struct array {
	void *at;
	size_t count, room;
};

/* Append an element of `size` bytes, with undefined contents, and return it. */
void *add(struct array *array, size_t size, jmp_buf way_out);

/* Append `count` bytes to an array of bytes, and return the first of them. */
void *add_many(struct array *bytes, size_t count, jmp_buf way_out);

#endif
