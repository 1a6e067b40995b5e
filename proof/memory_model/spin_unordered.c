/* SPDX-License-Identifier: MIT */
#include "spin_unordered.h"

#include "spinlock.h"
