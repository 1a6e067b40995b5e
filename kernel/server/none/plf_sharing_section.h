/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARING_SECTION_H
#define PLF_SHARING_SECTION_H

static inline bool plf_is_of_servers(ResourceType resource)
{
	(void)resource;
	return false;
}

static inline void plf_acquire_of_servers(ResourceType resource)
{
	(void)resource;
}

static inline void plf_release_of_servers(ResourceType resource)
{
	(void)resource;
}

#endif
