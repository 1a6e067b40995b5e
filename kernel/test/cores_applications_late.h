/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CORES_APPLICATIONS_LATE_H
#define PLF_TEST_CORES_APPLICATIONS_LATE_H

#include <stdint.h>

extern uint32_t has_begun; /* number of calls of SENDER's PostTaskHook */

/* The action of that hook, as another core performs it in a service. */
enum part {
	CHAINS,	      /* none: SENDER is in ChainTask() */
	WAKES,	      /* wakes a task */
	BEGINS_LATER, /* two activations: REVIVE is activated when REVIVE has been ended */
};
extern volatile enum part part;

#endif
