/* SPDX-License-Identifier: MIT */
/* For the port's assembly: the number of services, and macros that clear registers. */
#include "offsets.h"

/* `calls` is PLF_CALLS of os_calls.h. */
.set	calls, 0
#define SERVICE(...) .set calls, calls + 1
#include "services.h"

	.macro	clear from, to		/* x\from to x\to, an even number of registers */
	.set	register, \from
	.rept	(\to - \from + 1) / 2
	clear_two %register
	.set	register, register + 2
	.endr
	.endm

	.altmacro
	.macro	clear_two first
	pair	\first, %(\first + 1)
	.endm
	.macro	pair first, second
	ldp	x\first, x\second, [sp, #PLF_TOP_ZEROS]
	.endm
