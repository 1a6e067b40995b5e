/* SPDX-License-Identifier: MIT */
/* The other spelling of <plafond.h>. */
#include "../plafond.h"
