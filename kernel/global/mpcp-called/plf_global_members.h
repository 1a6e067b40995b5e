/* SPDX-License-Identifier: MIT */
/* The queues are the kernel's. */
#define PLF_GLOBAL_IN_USER_MODE 0

#include "../plf_mpcp_members.h"
