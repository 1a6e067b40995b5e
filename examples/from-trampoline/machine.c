/* SPDX-License-Identifier: MIT */
/* The code that runs in the kernel's mode. */
#include "tpl_os.h"

DeclareTask(control);
DeclareEvent(opened);

int main(void)
{
	StartOS(OSDEFAULTAPPMODE);
	return 0;
}

ISR(lid)
{
	SetEvent(control, opened);
}

void ShutdownHook(StatusType error)
{
	(void)error;
}
