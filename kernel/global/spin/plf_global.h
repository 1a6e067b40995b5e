/* SPDX-License-Identifier: MIT */
#include "../plf_spinlock.h"
