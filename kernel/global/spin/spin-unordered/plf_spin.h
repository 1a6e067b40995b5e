/* SPDX-License-Identifier: MIT */
#include "protocol/spin_unordered.h"
