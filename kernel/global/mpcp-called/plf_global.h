/* SPDX-License-Identifier: MIT */
#include "../plf_global_called.h"
