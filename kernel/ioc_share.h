/* SPDX-License-Identifier: MIT */
#ifndef PLF_IOC_SHARE_H
#define PLF_IOC_SHARE_H

/*
 * What ioc.c, generated from a description, defines: which memory is of which tasks. The kernel
 * itself neither reads nor writes it; a port with memory protection maps it, to these tasks alone.
 */
#include "config.h"

struct plf_ioc_share {
	char *start, *end; /* whole pages */
	uint16_t task;
	bool is_read_only;
};
extern const struct plf_ioc_share plf_ioc_shares[PLF_IOC_SHARES];

#endif
