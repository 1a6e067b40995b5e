/* SPDX-License-Identifier: MIT */
/*
 * Calls of protected functions: kernel/function.h has the invariants. They take the number of a
 * system call, in x4, that no service has: PLF_CALLS returns, and PLF_CALLS + 1 + F calls F, with
 * x0 to x3. The caller gets the status in x0 and the value in x1.
 *
 * All is straight on. A number that is refused becomes a service, which says why. The kernel is
 * not interrupted, and the context has the tables of its domain: so a switch of tasks needs nothing
 * more. Private pages have an ASID for each domain, and the exception return orders the writes.
 */
#include "assembly.h"

	.if	PLF_PROTECTED_FUNCTIONS

	.set	number, 0
#define SERVICE(name, ...) .set PLF_CALL_##name, number; .set number, number + 1
#include "services.h"

	/* x6: the domain; its stack goes to x11. */
	.macro	load_domain
	ldp	x10, x11, [x6, #PLF_DOMAIN_TABLES]
	str	x10, [x16, #PLF_CONTEXT_TTBR0]
	msr	ttbr0_el1, x10
	.endm

	.section .text.plf_port_function, "ax"
	.globl	plf_port_function
plf_port_function:
	subs	x4, x4, #calls
	ldr	x16, [sp, #PLF_TOP_LOADED]
	ldr	x16, [x16, #PLF_TASK_CONTEXT]
	ldp	x17, x5, [x16, #PLF_CONTEXT_FRAME]
	b.eq	return
	cmp	x4, #PLF_PROTECTED_FUNCTIONS
	b.hi	refuse
	mrs	x7, spsr_el1
	tbnz	x7, #PLF_SPSR_I, refuse
	.if	PLF_CATEGORY_1
	tbnz	x7, #PLF_SPSR_F, refuse
	.endif
	add	x6, x5, x4, lsl #4
	ldp	x6, x7, [x6, #PLF_DOMAIN_ENTRIES]
	cbz	x6, refuse
	mrs	x10, elr_el1
	mrs	x11, sp_el0
	mrs	x12, tpidr_el0
	stp	x12, x5, [x17, #16]
	stp	x10, x11, [x17], #PLF_A_FRAME
	stp	x17, x6, [x16, #PLF_CONTEXT_FRAME]
	load_domain
	msr	sp_el0, x11
	msr	elr_el1, x7
	msr	tpidr_el0, xzr
	msr	spsr_el1, xzr
	ldr	x30, [x6, #PLF_DOMAIN_RETURNED]
	clear	4, 29
	eret

	/* Behind the call, with the value of the function. */
return:
	ldp	x12, x6, [x17, #16 - PLF_A_FRAME]
	cbz	x6, refuse
	mov	x1, x0
	ldp	x7, x8, [x17, #-PLF_A_FRAME]!
	stp	x17, x6, [x16, #PLF_CONTEXT_FRAME]
	load_domain
	msr	elr_el1, x7
	msr	sp_el0, x8
	msr	tpidr_el0, x12
	msr	spsr_el1, xzr
	clear	2, 29
	ldp	x0, x30, [sp, #PLF_TOP_ZEROS]
	eret

	/* The number of the function; a return without a call is that of none. */
refuse:
	sub	x0, x4, #1
	mov	x4, #PLF_CALL_CALL_NON_TRUSTED_FUNCTION
	b	plf_port_service

	.section .plf_user_text, "ax"
	.globl	plf_function_returned
plf_function_returned:
	mov	x4, #calls
	svc	#0

	.endif
