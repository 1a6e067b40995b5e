/* SPDX-License-Identifier: MIT */
/*
 * Several actors that run at the same time, each on a core of its own: whose each byte of the
 * shared memory is, and where a core has to stop so that another one may take the next step.
 */
#ifndef PLAFOND_PROOF_CORES_H
#define PLAFOND_PROOF_CORES_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_CORES = 4 };

/*
 * `by` has a bit for each core that has read a byte, and above these one for each that has written
 * it. A byte that `is_common` is seen by others: an instruction that touches one is a step.
 */
struct cores {
	uint8_t *by;
	const uint8_t *is_common;
	const uint8_t *is_fence; /* of the text: an instruction there is a step by itself */

	/* Of the last instruction. */
	bool has_touched;	     /* it touched a byte of this memory */
	bool has_met;		     /* a common one */
	int32_t stored_from, stored; /* what it stored there: the first byte, and how many */
};

/* An access to `size` bytes from this offset in the shared memory on. */
void cores_touch(struct cores *cores, int32_t core, int32_t offset, int32_t size, bool is_store);

#endif
