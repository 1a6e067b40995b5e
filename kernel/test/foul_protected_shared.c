/* SPDX-License-Identifier: MIT */
#include "foul_protected.h"

struct shared shared;
