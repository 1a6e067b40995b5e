/* SPDX-License-Identifier: MIT */
/* Values of any length, each once, and their numbers: 0, 1 and so on. */
#ifndef PLAFOND_PROOF_NUMBERED_H
#define PLAFOND_PROOF_NUMBERED_H

#include "grow.h"

#include <stdint.h>

struct value {
	const void *at;
	size_t length;
};

struct numbered {
	struct array bytes; /* of all values, one behind the other */
	struct array ends;  /* end of each value */
	int32_t *numbers;   /* a hash table */
	size_t size;
};

/* The value's number, or a new number if it has none. */
int32_t number_of(struct numbered *numbered, struct value value, jmp_buf way_out);

/* Valid until the next call of number_of(). */
struct value value_at(const struct numbered *numbered, int32_t number);

void numbered_free(struct numbered *numbered);

#endif
