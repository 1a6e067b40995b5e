/* SPDX-License-Identifier: MIT */
#include "../plf_spin_members.h"
