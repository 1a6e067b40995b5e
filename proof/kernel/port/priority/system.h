/* SPDX-License-Identifier: MIT */
#ifndef PLF_SYSTEM_H
#define PLF_SYSTEM_H

/* Under fixed priorities: how urgent a task is is its level. */
#include "names.h"

#define PLF_LEVELS	       9
#define PLF_INTERNAL_RESOURCES 1

#define PLF_CEILINGS                                                                               \
	{                                                                                          \
		3, 5, 7, 5, 5                                                                      \
	}

/*
 * Among servers. Of two both use what is shared. Of four, whose levels are 4 to 1, R3 is of the
 * last two, R5 of the second one and of these, R7 of the first one and the last.
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

/* Row 0, under overrun, and that of all servers under skipping. */
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
