/* SPDX-License-Identifier: MIT */
/* Arrays that grow. A caller that finds no memory leaves by the way out that was set for it. */
#ifndef PLAFOND_PROOF_GROW_H
#define PLAFOND_PROOF_GROW_H

#include <setjmp.h>
#include <stddef.h>

/* What comes out there: why an exploration ends. */
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

/* One more element of `size` bytes at the end of it; its contents are any. */
void *add(struct array *array, size_t size, jmp_buf way_out);

/* So many bytes more at the end of an array of bytes. */
void *add_many(struct array *bytes, size_t count, jmp_buf way_out);

#endif
