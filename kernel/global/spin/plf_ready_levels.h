/* SPDX-License-Identifier: MIT */
#include "../plf_plain_levels.h"
