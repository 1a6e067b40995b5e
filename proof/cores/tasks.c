/* SPDX-License-Identifier: MIT */
/*
 * The tasks' half of the services as shipped. A task executes each function from its call to its
 * return.
 */
#include <stddef.h>
#include <stdint.h>

#include "plf_global.h"

static _Noreturn void returned(StatusType status)
{
	CALL(MARK_RETURNED, status, 0);
	for (;;)
		;
}

void proof_get(void)
{
	returned(GetResource(0));
}

void proof_release(void)
{
	returned(ReleaseResource(0));
}

void proof_get_global(void)
{
	returned(GetMPCPResource(PLF_RESOURCES));
}

void proof_release_global(void)
{
	returned(ReleaseMPCPResource(PLF_RESOURCES));
}
