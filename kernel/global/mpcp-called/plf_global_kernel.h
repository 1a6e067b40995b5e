/* SPDX-License-Identifier: MIT */
#include "../plf_mpcp_kernel.h"
