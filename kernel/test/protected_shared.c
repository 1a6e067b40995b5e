/* SPDX-License-Identifier: MIT */
/* All applications and the kernel can write this. */
#include "protected.h"

struct found found;
