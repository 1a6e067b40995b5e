/* SPDX-License-Identifier: MIT */
#define ORDER "m975"

#include "cores_spin_order.h"
