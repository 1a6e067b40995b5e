/* SPDX-License-Identifier: MIT */
#include "locks.h"

#include <immpc_driver.h>
#include <plafond_device.h>

#include <stddef.h>
#include <string.h>

static const struct protocol protocols[] = {
	{ "plafond", &plafond_locks, PLF_ROBUST | PLF_BACKEND_USER, true, ACROSS_BAND, NULL },
	{ "plafond-strict", &plafond_locks, PLF_STRICT | PLF_BACKEND_USER, true, ACROSS_NOT, NULL },
	{ "plafond-module", &plafond_locks, PLF_ROBUST | PLF_BACKEND_MODULE, true, ACROSS_BAND,
	  PLF_DEVICE },
	{ "plafond-module-strict", &plafond_locks, PLF_STRICT | PLF_BACKEND_MODULE, true,
	  ACROSS_NOT, PLF_DEVICE },
	{ "plafond-syscall", &plafond_locks, PLF_BACKEND_SYSCALL, true, ACROSS_BAND, NULL },
	{ "protect", &pthread_locks, PTHREAD_PRIO_PROTECT, true, ACROSS_AS_IS, NULL },
	{ "inherit", &pthread_locks, PTHREAD_PRIO_INHERIT, false, ACROSS_AS_IS, NULL },
	{ "none", &pthread_locks, PTHREAD_PRIO_NONE, false, ACROSS_AS_IS, NULL },
	{ "immpc", &driver_locks, IMMPC_KIND_POSTPONED, true, ACROSS_AS_IS, IMMPC_DEVICE },
	{ "immpc-eager", &driver_locks, IMMPC_KIND_EAGER, true, ACROSS_AS_IS, IMMPC_DEVICE },
	{ "rt-mutex", &driver_locks, IMMPC_KIND_RT_MUTEX, false, ACROSS_AS_IS, IMMPC_DEVICE },
};

const char protocol_names[] =
	"plafond, plafond-strict, plafond-module, plafond-module-strict, plafond-syscall, "
	"protect, inherit, none, immpc, immpc-eager or rt-mutex";

bool has_servers(const struct protocol *protocol)
{
	return protocol->kind == &plafond_locks &&
	       protocol->option == (PLF_ROBUST | PLF_BACKEND_USER);
}

const struct protocol *find_protocol(const char *name)
{
	for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++)
		if (strcmp(protocols[i].name, name) == 0)
			return &protocols[i];
	return NULL;
}
