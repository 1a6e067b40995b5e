/* SPDX-License-Identifier: MIT */
#ifndef PLF_INDIRECT_H
#define PLF_INDIRECT_H

#include <link.h>

/* The address that a function's resolver chooses for this processor, as the loader asks for it. */
static inline ElfW(Addr) plf_choose_function(ElfW(Addr) resolver)
{
	return ((ElfW(Addr)(*)(void))resolver)();
}

#endif
