/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_DOMAIN_H
#define PLF_PORT_DOMAIN_H

#include "core.h"

static inline unsigned plf_port_domain_of(const struct plf_task *task)
{
	return task->context->domain[0];
}

#endif
