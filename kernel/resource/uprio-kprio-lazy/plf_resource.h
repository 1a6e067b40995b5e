/* SPDX-License-Identifier: MIT */
#include "../uprio-kprio/plf_resource.h"
