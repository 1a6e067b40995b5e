/* SPDX-License-Identifier: MIT */
/*
 * The door to the services for files that run in both modes: kernel/mixed/plf_call.h. Both modes
 * execute it, so it is in the section of such files.
 */
#include "user/plf_call.h"
#include "user/plf_mode.h"

struct plf_result plf_trusted_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number);
struct plf_result plf_mixed_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number);

__attribute__((section(".plf_shared_text.plf_mixed_call"))) struct plf_result
plf_mixed_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number)
{
	if (plf_is_in_kernel())
		return plf_trusted_call(a, b, c, number);
	return plf_call3((unsigned)number, a, b, c);
}
