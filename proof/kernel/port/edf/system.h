/* SPDX-License-Identifier: MIT */
#ifndef PLF_SYSTEM_H
#define PLF_SYSTEM_H

/* EDF: urgency follows the relative deadline; each level is 10 shorter. */
#include "names.h"

#define PLF_INTERNAL_RESOURCES 0

#define PLF_CEILINGS                                                                               \
	{                                                                                          \
		UINT64_C(70), UINT64_C(50), UINT64_C(30), UINT64_C(50), UINT64_C(50)               \
	}

#endif
