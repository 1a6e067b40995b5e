/* SPDX-License-Identifier: MIT */
#include "../plf_bound_levels.h"
