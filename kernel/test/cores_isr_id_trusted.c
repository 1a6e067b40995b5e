/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"

#include "check.h"
#include "os_cores.h"

static uint32_t has_begun, has_asked;

/* The first core's handler is active while the second core's handler asks. */
ISR(FIRST)
{
	EXPECT(GetISRID(), FIRST);
	__atomic_store_n(&has_begun, true, __ATOMIC_RELEASE);
	plf_port_raise(6);
	while (!__atomic_load_n(&has_asked, __ATOMIC_ACQUIRE))
		plf_port_wait_a_little();
	EXPECT(GetISRID(), FIRST);
	mark('1');
	EXPECT(ActivateTask(MAIN), E_OK);
}

ISR(SECOND)
{
	EXPECT(__atomic_load_n(&has_begun, __ATOMIC_ACQUIRE), true);
	EXPECT(GetISRID(), SECOND);
	mark('2');
	__atomic_store_n(&has_asked, true, __ATOMIC_RELEASE);
}

/*
 * The interrupt is pending before the start. The first core takes it when it lets interrupts
 * through.
 */
int main(void)
{
	StatusType status;

	if (GetCoreID() == OS_CORE_ID_MASTER) {
		StartCore(OS_CORE_ID_1, &status);
		plf_port_raise(5);
	}
	StartOS(OSDEFAULTAPPMODE);
}
