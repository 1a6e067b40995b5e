/* SPDX-License-Identifier: MIT */
#include "../plf_raised_levels.h"
