/* SPDX-License-Identifier: MIT */
/* The domains of protected functions, and the return that a fault forces: kernel/function.h. */
#include "domain.h"
#include "memory.h"
#include "port.h"

#define CHECK_OFFSET(type, member, offset)                                                         \
	_Static_assert(offsetof(type, member) == (offset), "offsets.h: " #member)

CHECK_OFFSET(struct plf_context, calls, PLF_CONTEXT_FRAME);
CHECK_OFFSET(struct plf_calls, domain, 8);
CHECK_OFFSET(struct plf_domain, ttbr0, PLF_DOMAIN_TABLES);
CHECK_OFFSET(struct plf_domain, stack_top, PLF_DOMAIN_TABLES + 8);
CHECK_OFFSET(struct plf_domain, returned, PLF_DOMAIN_RETURNED);
CHECK_OFFSET(struct plf_domain, entries, PLF_DOMAIN_ENTRIES + 16);

_Static_assert(sizeof(struct plf_frame) == PLF_A_FRAME, "offsets.h: struct plf_frame");
_Static_assert(sizeof(((struct plf_calls *)NULL)->frames) == PLF_A_FRAME * (1 + PLF_MOST_DEEP),
	       "port_types.h: struct plf_calls");

struct plf_domain plf_domains[PLF_DOMAINS];

/* In call.S, for user mode. */
void plf_function_returned(void);

static void prepare(unsigned index)
{
	const struct plf_domain_config *config = &plf_domain_config[index];
	struct plf_domain *domain = &plf_domains[index];

	domain->ttbr0 = plf_memory_of_domain(index);
	domain->stack_top = config->stack_high;
	domain->returned = (uintptr_t)plf_function_returned;
	domain->index = index;
	for (unsigned function = 0; function < PLF_PROTECTED_FUNCTIONS; function++) {
		domain->entries[function].pc = plf_protected_functions[function];
		if (config->to[function])
			domain->entries[function].to = &plf_domains[config->to[function]];
	}
}

void plf_domains_prepare(void)
{
	for (unsigned index = 0; index < PLF_DOMAINS; index++)
		prepare(index);
}

/*
 * The registers are not the caller's, so none of them is kept. The exit path loads the registers of
 * PLF_SAVED_CALL from the context: x0, x1 and x19 to x30.
 */
void plf_port_force_return(struct plf_task *task, StatusType status)
{
	struct plf_context *context = task->context;
	const struct plf_frame *frame = --context->calls[0].frame;

	context->calls[0].domain = frame->domain;
	context->ttbr0 = frame->domain->ttbr0;
	context->pc = frame->pc;
	context->sp = frame->sp;
	context->tpidr = frame->tpidr;
	context->spsr = 0;
	context->kind = PLF_SAVED_CALL;
	context->x[0] = status;
	context->x[1] = 0;
	for (unsigned i = 19; i <= 30; i++)
		context->x[i] = 0;
	plf_this_port_core()->loaded = PLF_NO_TASK;
}
