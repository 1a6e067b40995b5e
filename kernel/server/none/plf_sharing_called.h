/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARING_CALLED_H
#define PLF_SHARING_CALLED_H

static inline struct plf_resource_words *plf_words_of(const struct plf_core *core)
{
	return plf_resource_words[plf_index_of(core)];
}

static inline bool plf_is_of_servers(uintptr_t resource)
{
	(void)resource;
	return false;
}

static inline void plf_enter_of_servers(struct plf_core *core, uintptr_t resource,
					struct plf_resource_words *words)
{
	(void)core, (void)resource, (void)words;
}

static inline void plf_leave_of_servers(struct plf_core *core,
					const struct plf_resource_words *words)
{
	(void)core, (void)words;
}

#endif
