/* SPDX-License-Identifier: MIT */
/* The services of a global resource, and its tables. */
#include "mpcp_called.c"
#include "mpcp_tables.h"
