/* SPDX-License-Identifier: MIT */
#include "../none/plf_blocked.h"
