/* SPDX-License-Identifier: MIT */
/* The kernel's half of the services of a global resource, its tables, and each user's own words. */
#include "mpcp.c"
#include "mpcp_tables.h"

#define OWN(user)                                                                                  \
	{                                                                                          \
		{                                                                                  \
			.bit = UINT64_C(1) << (user)                                               \
		}                                                                                  \
	}
struct plf_global_words proof_own[PLF_TASKS][PLF_GLOBALS] = {
	[L1] = OWN(0), [L0] = OWN(1), [X1] = OWN(2), [X0] = OWN(3), [H1] = OWN(4), [H0] = OWN(5),
};
