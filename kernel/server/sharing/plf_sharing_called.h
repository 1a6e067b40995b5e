/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARING_CALLED_H
#define PLF_SHARING_CALLED_H

/*
 * A resource with users in several servers, where sections are system calls: of
 * plf_called_services.h. The kernel writes the claim; what it was before is in the kernel's memory.
 */
#include "plf_ceilings.h"

static inline bool plf_is_of_servers(uintptr_t resource)
{
	return PLF_OF_SERVERS >> resource & 1;
}

/* In sharing.c: those of the server, in which one task has them until it is outside: it may wait
 * for its budget, and tasks of other servers enter meanwhile. */
unsigned plf_words_row(const struct plf_core *core);

static inline struct plf_resource_words *plf_words_of(const struct plf_core *core)
{
	return plf_resource_words[plf_words_row(core)];
}

/* In sharing.c: the running task enters the outer level, or waits for that, and then is there. */
void plf_claim(struct plf_core *core, uint32_t ceiling);
uint32_t plf_claimed(const struct plf_core *core);
uint32_t plf_row(const struct plf_core *core);
void plf_withdraw(struct plf_core *core, uint32_t before);

/* The task may be suspended by the last step, and is not looked at behind it. */
static inline void plf_enter_of_servers(struct plf_core *core, uintptr_t resource,
					struct plf_resource_words *words)
{
	uint32_t row = PLF_LOCAL_ROWS > 1 ? plf_row(core) : 0;

	words->outer.claimed = plf_claimed(core);
	words->saved = plf_enter(core, row ? plf_local_ceiling[row][resource] : PLF_LEVELS - 1);
	plf_claim(core, plf_server_ceiling[resource]);
}

static inline void plf_leave_of_servers(struct plf_core *core,
					const struct plf_resource_words *words)
{
	plf_withdraw(core, words->outer.claimed);
}

#endif
