/* SPDX-License-Identifier: MIT */
/*
 * A place: the own states of all actors but the running one, and for each moment that was met
 * there, how far exploration has got with it.
 */
#ifndef PLAFOND_PROOF_PLACES_H
#define PLAFOND_PROOF_PLACES_H

#include "grow.h"

#include <stdint.h>

struct places {
	jmp_buf *way_out;
	size_t actors;
	struct array own;   /* of each place: `actors` numbers */
	struct array rooms; /* of each place: what was met there */
	int32_t *numbers;   /* a hash table */
	size_t size;
};

/* What exploration knows of a moment in a place. */
enum {
	MET = 1, /* boundaries to the end of everything, above KNOWN_BITS; 0: on this very way */
	FINISHING = 2, /* on this very way to the end without more arrivals */
	FINISHED = 4,
	KNOWN_BITS = 3,
};

int32_t place_number(struct places *places, const int32_t *own);
const int32_t *place_at(const struct places *places, int32_t number);

/* What is known of that moment there; valid until the next call. */
uint32_t *known_of(struct places *places, int32_t place, int32_t moment);

void places_free(struct places *places);

#endif
