/* SPDX-License-Identifier: MIT */
/* User code enters and leaves the queues. */
#define PLF_GLOBAL_IN_USER_MODE 1

#include "../plf_mpcp_members.h"
