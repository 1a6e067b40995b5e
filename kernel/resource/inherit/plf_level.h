/* SPDX-License-Identifier: MIT */
/*
 * Priority inheritance, for comparison: Sha, Rajkumar, Lehoczky, "Priority Inheritance Protocols",
 * IEEE Transactions on Computers 39 (9), 1990, Section III.
 */
#include "../plf_level_waiting.h"
