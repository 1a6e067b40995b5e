/* SPDX-License-Identifier: MIT */
#include "../plf_called.h"
