/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CORES_APPLICATIONS_LATE_H
#define PLF_TEST_CORES_APPLICATIONS_LATE_H

#include <stdint.h>

extern uint32_t has_begun; /* PostTaskHook of SENDER, so often */

/* What that hook does, as a core does in a service. */
enum part {
	CHAINS,	      /* nothing: SENDER is in ChainTask() */
	WAKES,	      /* a task that waits */
	BEGINS_LATER, /* two activations: that of REVIVE when REVIVE has been ended */
};
extern volatile enum part part;

#endif
