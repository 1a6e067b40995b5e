/* SPDX-License-Identifier: MIT */
#ifndef PROOF_KERNEL_DRIVER_H
#define PROOF_KERNEL_DRIVER_H

/* Declarations that kernel.c and scripts.c of the sweep share. */
#include <stdbool.h>

#include "marks.h"
#include "os.h"

/* data that the resources guard */
extern struct shared {
	struct guarded data[PLF_RESOURCES];
} proof_shared;

extern bool is_masked; /* whether interrupts are masked */

#endif
