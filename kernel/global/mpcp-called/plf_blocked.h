/* SPDX-License-Identifier: MIT */
#include "../plf_mpcp_blocked.h"
