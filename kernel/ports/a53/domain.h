/* SPDX-License-Identifier: MIT */
#ifndef PLF_DOMAIN_H
#define PLF_DOMAIN_H

/*
 * The domains of kernel/function.h, as call.S needs them: all that a call loads lies in a row.
 * Written once, before any core starts.
 */
#include "core.h"

struct plf_domain {
	uint64_t ttbr0;
	uint64_t stack_top;
	uint64_t returned; /* x30 of a function, in user mode */
	uint64_t index;
	struct {
		const struct plf_domain *to; /* NULL: this domain may not call it */
		plf_protected_function *pc;
	} entries[PLF_PROTECTED_FUNCTIONS + 1];
};

extern struct plf_domain plf_domains[PLF_DOMAINS];

/* Before the contexts of tasks. */
void plf_domains_prepare(void);

/* The task is in no call. */
static inline void plf_forget_calls(struct plf_task *task)
{
	struct plf_context *context = task->context;

	context->calls[0].frame = &context->calls[0].frames[1];
	context->calls[0].domain = &plf_domains[task->index];
	context->ttbr0 = plf_domains[task->index].ttbr0;
}

#endif
