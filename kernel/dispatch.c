/* SPDX-License-Identifier: MIT */
#include "dispatch.h"

void plf_preempt_below(struct plf_core *core, unsigned level)
{
	plf_put_back(core, level);
	plf_dispatch(core);
}
