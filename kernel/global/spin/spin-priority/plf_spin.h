/* SPDX-License-Identifier: MIT */
#include "protocol/spin_priority.h"
