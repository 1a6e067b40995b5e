/* SPDX-License-Identifier: MIT */
#ifndef PLF_ELSEWHERE_H
#define PLF_ELSEWHERE_H

/*
 * With several cores, AUTOSAR, SWS_Os_00589: E_OS_CORE for a resource of another core, which
 * GetResource and ReleaseResource cannot reach. A resource that no task has declared is on no core.
 */
#include "system.h"

#include <stdbool.h>
#include <stdint.h>

static inline bool plf_is_elsewhere(unsigned resource, unsigned core)
{
#if PLF_CPUS > 1
	static const uint8_t cores[PLF_RESOURCES + 1] = PLF_RESOURCE_CORES;

	return cores[resource] != 0 && !(cores[resource] >> core & 1);
#else
	(void)resource, (void)core;
	return false;
#endif
}

#endif
