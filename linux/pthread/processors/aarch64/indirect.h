/* SPDX-License-Identifier: MIT */
#ifndef PLF_INDIRECT_H
#define PLF_INDIRECT_H

#include <link.h>
#include <sys/auxv.h>
#include <sys/ifunc.h>

/* The address that a function's resolver chooses for this processor, as the loader asks for it. */
static inline ElfW(Addr) plf_choose_function(ElfW(Addr) resolver)
{
	const __ifunc_arg_t processor = {
		._size = sizeof(processor),
		._hwcap = getauxval(AT_HWCAP),
		._hwcap2 = getauxval(AT_HWCAP2),
	};

	return ((ElfW(Addr)(*)(uint64_t, const __ifunc_arg_t *))resolver)(
		processor._hwcap | _IFUNC_ARG_HWCAP, &processor);
}

#endif
