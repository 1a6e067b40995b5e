/* SPDX-License-Identifier: MIT */
#ifndef PLF_NO_CALLS_H
#define PLF_NO_CALLS_H

/* The system calls for resources, where resources are user code. */
static inline struct plf_result plf_get_resource(struct plf_core *core, uintptr_t resource)
{
	(void)core, (void)resource;
	return (struct plf_result) { .status = E_OS_SERVICEID, .value = 0 };
}

static inline struct plf_result plf_release_resource(struct plf_core *core, uintptr_t resource)
{
	(void)core, (void)resource;
	return (struct plf_result) { .status = E_OS_SERVICEID, .value = 0 };
}

#endif
