/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARING_CALLED_H
#define PLF_SHARING_CALLED_H

/*
 * Resources with users in several servers, for plf_called_services.h: sections are system calls.
 * The kernel writes the claim, and keeps the previous claim in kernel memory.
 */
#include "plf_ceilings.h"

static inline bool plf_is_of_servers(uintptr_t resource)
{
	return PLF_OF_SERVERS >> resource & 1;
}

/*
 * In sharing.c: the row of the server that has the core. Each server needs a row, because a task in
 * a section may wait for its budget while tasks of other servers enter. In a server, only the task
 * inside the section uses the words.
 */
unsigned plf_words_row(const struct plf_core *core);

static inline struct plf_resource_words *plf_words_of(const struct plf_core *core)
{
	return plf_resource_words[plf_words_row(core)];
}

/*
 * In sharing.c. plf_claim(): the running task claims the ceiling. If too little budget is left, it
 * is suspended first, and resumes with the claim. plf_withdraw() restores the claim.
 */
void plf_claim(struct plf_core *core, uint32_t ceiling);
uint32_t plf_claimed(const struct plf_core *core);
uint32_t plf_row(const struct plf_core *core);
void plf_withdraw(struct plf_core *core, uint32_t before);

/* plf_claim() must be last, because it may suspend the running task. */
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
