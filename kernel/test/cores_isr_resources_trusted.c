/* SPDX-License-Identifier: MIT */
#include "cores_isr_resources.h"
#include "kernel/port.h"

void ErrorHook(StatusType status)
{
	if (status == E_OS_ID)
		plf_port_raise(5 + GetCoreID());
}

/* AUTOSAR's E_OS_CORE: a resource of the other core cannot be reached. */
static void run_on(uint32_t core, ISRType own_isr, ResourceType own, ResourceType other)
{
	EXPECT(GetISRID(), own_isr);
	EXPECT(GetCoreID(), core);
	EXPECT(GetResource(other), E_OS_CORE);
	EXPECT(ReleaseResource(other), E_OS_CORE);
	EXPECT(ReleaseResource(own), E_OS_NOFUNC);
	EXPECT(GetResource(own), E_OK);
	EXPECT(GetResource(own), E_OS_ACCESS);
	EXPECT(ReleaseResource(own), E_OK);
	ran[core]++;
}

ISR(ISR0)
{
	run_on(0, ISR0, R0, R1);
}

ISR(ISR1)
{
	run_on(1, ISR1, R1, R0);
}
