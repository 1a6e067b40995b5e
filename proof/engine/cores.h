/* SPDX-License-Identifier: MIT */
/*
 * Actors that run at the same time, each on a separate core. cores_touch() notes which core touches
 * each byte of the shared memory, and whether other cores may see the access. In that case the core
 * must stop, so that another core may take the next step.
 */
#ifndef PLAFOND_PROOF_CORES_H
#define PLAFOND_PROOF_CORES_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_CORES = 4 };

/*
 * `by` has a bit for each core that has read a byte, and above these a bit for each core that has
 * written it. Other cores see a byte that `is_common`. An instruction that touches such a byte is a
 * step.
 */
struct cores {
	uint8_t *by;
	const uint8_t *is_common;
	const uint8_t *is_fence; /* by text offset: this instruction is a step by itself */

	/* the last instruction */
	bool has_touched;	     /* it touched a byte of the shared memory */
	bool has_met;		     /* it touched a common byte */
	int32_t stored_from, stored; /* its stores there: first byte, number of bytes */
};

/* Note an access to `size` bytes of the shared memory from this offset on. */
void cores_touch(struct cores *cores, int32_t core, int32_t offset, int32_t size, bool is_store);

#endif
