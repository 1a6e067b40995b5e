/* SPDX-License-Identifier: MIT */
/* Plain mutexes, for comparison: a resource changes no level. */
#include "../plf_level_waiting.h"
