/* SPDX-License-Identifier: MIT */
#include "../plf_asks_levels.h"
