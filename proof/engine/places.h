/* SPDX-License-Identifier: MIT */
/*
 * A place: the own states of all actors except the running actor. It keeps the progress of the
 * exploration for each moment that was met there.
 */
#ifndef PLAFOND_PROOF_PLACES_H
#define PLAFOND_PROOF_PLACES_H

#include "grow.h"

#include <stdint.h>

struct places {
	jmp_buf *way_out;
	size_t actors;
	struct array own;   /* of each place: `actors` numbers */
	struct array rooms; /* of each place: the moments met there */
	int32_t *numbers;   /* a hash table */
	size_t size;
};

/* The progress at a moment in a place. The bits from KNOWN_BITS on have the boundaries up to the
 * end of everything. MET without boundaries: the moment is on the current way. */
enum {
	MET = 1,       /* the exploration was here */
	FINISHING = 2, /* on the current way to the end without more arrivals */
	FINISHED = 4,
	KNOWN_BITS = 3,
};

int32_t place_number(struct places *places, const int32_t *own);
const int32_t *place_at(const struct places *places, int32_t number);

/* The progress at this moment there; valid until the next call. */
uint32_t *known_of(struct places *places, int32_t place, int32_t moment);

void places_free(struct places *places);

#endif
