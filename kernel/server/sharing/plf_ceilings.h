/* SPDX-License-Identifier: MIT */
#ifndef PLF_CEILINGS_H
#define PLF_CEILINGS_H

/* The ceilings of resources with users in several servers, for tasks and for the kernel. */
#include "system.h"

#include <stdint.h>

/* By resource: its ceiling among servers, a level; 0 if only one server uses it. */
static const uint8_t plf_server_ceiling[PLF_RESOURCES] = PLF_SERVER_CEILINGS;

/*
 * By row and resource: its ceiling among the tasks of a server. A server under skipping has a row
 * of its own. Servers that may overrun have row 0, whose ceilings keep out all other tasks of the
 * server.
 */
static const uint8_t plf_local_ceiling[][PLF_RESOURCES] = PLF_LOCAL_CEILINGS;
enum { PLF_LOCAL_ROWS = sizeof(plf_local_ceiling) / sizeof(*plf_local_ceiling) };

#endif
