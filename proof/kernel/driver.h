/* SPDX-License-Identifier: MIT */
#ifndef PROOF_KERNEL_DRIVER_H
#define PROOF_KERNEL_DRIVER_H

/* What the kernel of the sweep and its scripts know of each other. */
#include <stdbool.h>

#include "marks.h"
#include "os.h"

/* The data that the resources guard. */
extern struct shared {
	struct guarded data[PLF_RESOURCES];
} proof_shared;

extern bool is_masked; /* interrupts are */

#endif
