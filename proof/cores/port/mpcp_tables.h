/* SPDX-License-Identifier: MIT */
#ifndef PROOF_MPCP_TABLES_H
#define PROOF_MPCP_TABLES_H

/* The tables of the global resource. */
#include "plf_globals.c"

#define USERS L1, L0, X1, X0, H1, H0
static const uint8_t task_of_user[] = { USERS };
static const uint8_t user_of_task[PLF_TASKS] = { [L0] = 1, [X1] = 2, [X0] = 3, [H1] = 4, [H0] = 5 };

static uint32_t proof_states[sizeof(task_of_user)];

const struct plf_global_config plf_global_config[PLF_GLOBALS + 1] = {
	{
		.users = (1 << sizeof(task_of_user)) - 1,
		.task_of_user = task_of_user,
		.user_of_task = user_of_task,
		.states = proof_states,
		.ceiling = PLF_LEVELS - 1,
	},
};

const uint64_t proof_users[] = { sizeof(task_of_user), USERS };

#endif
