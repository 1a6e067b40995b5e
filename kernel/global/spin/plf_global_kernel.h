/* SPDX-License-Identifier: MIT */
#include "../plf_spin_kernel.h"
