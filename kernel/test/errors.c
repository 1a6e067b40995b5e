/* SPDX-License-Identifier: MIT */
/* The ErrorHook of most test programs. */
#include "errors.h"

void ErrorHook(StatusType status)
{
	note_error(status);
}
