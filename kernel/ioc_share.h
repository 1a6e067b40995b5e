/* SPDX-License-Identifier: MIT */
#ifndef PLF_IOC_SHARE_H
#define PLF_IOC_SHARE_H

/*
 * The memory shares that ioc.c, generated from a description, defines for tasks. The kernel neither
 * reads nor writes that memory. A port with memory protection maps each share to its task only.
 */
#include "config.h"

struct plf_ioc_share {
	char *start, *end; /* whole pages */
	uint16_t task;
	bool is_read_only;
};
extern const struct plf_ioc_share plf_ioc_shares[PLF_IOC_SHARES];

#endif
