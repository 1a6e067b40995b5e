/* SPDX-License-Identifier: MIT */
#include "locks.h"

#include <stddef.h>
#include <string.h>

static const struct protocol protocols[] = {
	{ "plafond", &plafond_locks, PLF_ROBUST | PLF_BACKEND_USER, true, true },
	{ "plafond-strict", &plafond_locks, PLF_STRICT | PLF_BACKEND_USER, true, true },
	{ "plafond-syscall", &plafond_locks, PLF_BACKEND_SYSCALL, true, false },
	{ "protect", &pthread_locks, PTHREAD_PRIO_PROTECT, true, false },
	{ "inherit", &pthread_locks, PTHREAD_PRIO_INHERIT, false, false },
	{ "none", &pthread_locks, PTHREAD_PRIO_NONE, false, false },
};

const char protocol_names[] = "plafond, plafond-strict, plafond-syscall, protect, inherit or none";

const struct protocol *find_protocol(const char *name)
{
	for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++)
		if (strcmp(protocols[i].name, name) == 0)
			return &protocols[i];
	return NULL;
}
