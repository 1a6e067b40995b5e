/* SPDX-License-Identifier: MIT */
#ifndef PLF_DOMAIN_H
#define PLF_DOMAIN_H

/*
 * The domains of kernel/function.h, for call.S: the words that a call loads are adjacent. They are
 * written once, before any core starts.
 */
#include "core.h"

struct plf_domain {
	uint64_t ttbr0;
	uint64_t stack_top;
	uint64_t returned; /* return address (x30) of a function, in user mode */
	uint64_t index;
	struct {
		const struct plf_domain *to; /* the callee; NULL: this domain may not call it */
		plf_protected_function *pc;
	} entries[PLF_PROTECTED_FUNCTIONS + 1];
};

extern struct plf_domain plf_domains[PLF_DOMAINS];

/* Must precede the preparation of the tasks' contexts. */
void plf_domains_prepare(void);

/* Reset the calls of the task, which is in no call any more. */
static inline void plf_forget_calls(struct plf_task *task)
{
	struct plf_context *context = task->context;

	context->calls[0].frame = &context->calls[0].frames[1];
	context->calls[0].domain = &plf_domains[task->index];
	context->ttbr0 = plf_domains[task->index].ttbr0;
}

#endif
