/* SPDX-License-Identifier: MIT */
#ifndef PLF_SYSTEM_H
#define PLF_SYSTEM_H

/* Fixed priorities: the urgency of a task is its level. */
#include "names.h"

#define PLF_LEVELS	       9
#define PLF_INTERNAL_RESOURCES 1

#define PLF_CEILINGS                                                                               \
	{                                                                                          \
		3, 5, 7, 5, 5                                                                      \
	}

/*
 * Ceilings among servers. Two servers share R3 and R5. Four servers have the levels 4 to 1. Of
 * these, the last two share R3, the last three share R5, and the first and the last share R7.
 */
#if PROOF_SHARING && PLF_SERVERS == 2
#define PLF_SERVER_CEILINGS                                                                        \
	{                                                                                          \
		2, 2, 0, 0, 0                                                                      \
	}
#define PROOF_CLAIM(payer) 2
#elif PROOF_SHARING
#define PLF_SERVER_CEILINGS                                                                        \
	{                                                                                          \
		2, 3, 4, 0, 0                                                                      \
	}
#define PROOF_CLAIM(payer) ((payer) == 0 || (payer) == 3 ? 4 : 3)
#endif

/* Ceilings within a server. Row 0 holds under overrun, row 1 under skipping. */
#if PROOF_SHARING
#define PLF_LOCAL_CEILINGS                                                                         \
	{                                                                                          \
		{ 8, 8, 8, 8, 8 },                                                                 \
		{                                                                                  \
			3, 5, 7, 5, 5                                                              \
		}                                                                                  \
	}
#endif

#endif
