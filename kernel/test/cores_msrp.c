/* SPDX-License-Identifier: MIT */
#define ORDER "m597"

#include "cores_spin_order.h"
