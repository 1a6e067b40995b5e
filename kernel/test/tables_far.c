/* SPDX-License-Identifier: MIT */
/* Data of an application on another core. */
#include "check.h"

#include "Ioc.h"

static uint32_t sent[2000];

TASK(SECOND)
{
	EXPECT(sent[1999]++, 0);
	EXPECT(IocWrite_ACROSS(&sent), IOC_E_OK);
	TerminateTask();
}
