/* SPDX-License-Identifier: MIT */
#ifndef PLF_THIS_CORE_H
#define PLF_THIS_CORE_H

/* port_types.h of the port knows which core executes this. */
static inline struct plf_core *plf_this_core(void)
{
	return plf_port_this_core();
}

#endif
