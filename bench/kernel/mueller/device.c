/* SPDX-License-Identifier: MIT */
/* In place of a device, the fault of a task of the second core interrupts the first core. */
#include "kernel/port.h"
#include "os.h"
#include "signs.h"

ProtectionReturnType ProtectionHook(StatusType status);
ProtectionReturnType ProtectionHook(StatusType status)
{
	enum { SOURCE = 5 }; /* source in cores.toml */

	(void)status;
	plf_port_raise(SOURCE);
	show(&signs.has_acted);
	return PRO_TERMINATETASKISR;
}

ISR(DEVICE)
{
	ActivateTask(LAST);
}
