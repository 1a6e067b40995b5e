/* SPDX-License-Identifier: MIT */
/* The trusted code for the features of `plafond bench kernel --sizes`, as short as possible. */
#include "kernel/hook.h"
#include "os.h"

void StartupHook(void)
{
}

void ShutdownHook(StatusType status)
{
	(void)status;
}

void ErrorHook(StatusType status)
{
	(void)status;
}

void PreTaskHook(void)
{
}

void PostTaskHook(void)
{
}

ProtectionReturnType ProtectionHook(StatusType status)
{
	(void)status;
	return PRO_TERMINATETASKISR;
}

ISR(COMES)
{
}

ALARMCALLBACK(called)
{
}
