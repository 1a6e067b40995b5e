/* SPDX-License-Identifier: MIT */
/* ErrorHook of most test programs. */
#include "errors.h"

void ErrorHook(StatusType status)
{
	note_error(status);
}
