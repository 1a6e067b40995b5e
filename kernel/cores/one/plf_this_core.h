/* SPDX-License-Identifier: MIT */
#ifndef PLF_THIS_CORE_H
#define PLF_THIS_CORE_H

static inline struct plf_core *plf_this_core(void)
{
	return &plf_cores[0];
}

#endif
