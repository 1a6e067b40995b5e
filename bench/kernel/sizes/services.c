/* SPDX-License-Identifier: MIT */
/* The trusted code of the image with all services: a call in a handler, as short as possible. */
#include "os.h"
#include "os_applications.h"

ISR(COMES)
{
	(void)ActivateTask(FIRST);
}

void TRUSTED_F(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters)
{
	(void)index, (void)parameters;
}
