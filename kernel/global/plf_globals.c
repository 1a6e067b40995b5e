/* SPDX-License-Identifier: MIT */
#include "plf_globals.h"

struct plf_global_page plf_globals[PLF_GLOBALS];
