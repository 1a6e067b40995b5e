/* SPDX-License-Identifier: MIT */
#ifndef PLF_CEILINGS_H
#define PLF_CEILINGS_H

/* The ceilings of resources with users in several servers, for tasks and for the kernel. */
#include "system.h"

#include <stdint.h>

/* Among servers: a level; of other resources 0. */
static const uint8_t plf_server_ceiling[PLF_RESOURCES] = PLF_SERVER_CEILINGS;

/* Among the tasks of a server under skipping, by its row. Row 0 is that of servers that may
 * overrun: no other task of the server runs meanwhile. */
static const uint8_t plf_local_ceiling[][PLF_RESOURCES] = PLF_LOCAL_CEILINGS;
enum { PLF_LOCAL_ROWS = sizeof(plf_local_ceiling) / sizeof(*plf_local_ceiling) };

#endif
