/* SPDX-License-Identifier: MIT */
/*
 * Every way into the kernel and out of it, on a Cortex-A53 at EL1.
 *
 * The kernel runs with all exceptions masked, so ELR_EL1, SPSR_EL1 and SP_EL0 stay the loaded
 * task's until another one is loaded. SPSR_EL1 is what the processor made of user mode's own
 * state: user code cannot put another mode into it. Where interrupts nest, plf_port_run_routine()
 * keeps the first two for what the routine has interrupted.
 *
 * An exception return is a context synchronization event, which makes the writes to
 * TTBR0_EL1 hold for the task, and it clears the exclusive monitor: no ISB
 * and no CLREX here. The kernel's own pages are the same in all tables.
 *
 * Registers are cleared by loading two zeros an instruction, from above the stack.
 */
#include "assembly.h"

	.macro	move_two operation, first, second
	\operation x\first, x\second, [x16, #PLF_CONTEXT_X + 8 * \first]
	.endm

	/* x19 to x29, and x30: what C functions keep, to or from the context at x16. */
	.macro	kept operation
	move_two \operation, 19, 20
	move_two \operation, 21, 22
	move_two \operation, 23, 24
	move_two \operation, 25, 26
	move_two \operation, 27, 28
	move_two \operation, 29, 30
	.endm

	/* x0 to x15: with x16, x17 and x18 the registers that C functions do not keep. */
	.macro	lost operation
	move_two \operation, 0, 1
	move_two \operation, 2, 3
	move_two \operation, 4, 5
	move_two \operation, 6, 7
	move_two \operation, 8, 9
	move_two \operation, 10, 11
	move_two \operation, 12, 13
	move_two \operation, 14, 15
	.endm

	/* x16: the task whose registers are loaded; x17: the one that has the core. */
	.macro	compare_running
	ldp	x17, x16, [sp, #PLF_TOP_CORE]
	ldr	x17, [x17, #PLF_CORE_RUNNING]
	cmp	x16, x17
	.endm

	.macro	vector
	.balign	128
	.endm

	.macro	unexpected
	vector
	b	trapped
	.endm

	/* x0 to x17, and two more: what C functions do not keep, to or from the stack. */
	.macro	lost_of_routine operation
	.set	register, 0
	.rept	9
	on_stack \operation, %register
	.set	register, register + 2
	.endr
	\operation x18, x30, [sp, #8 * 18]
	.endm
	.macro	on_stack operation, first
	pair_on_stack \operation, \first, %(\first + 1)
	.endm
	.macro	pair_on_stack operation, first, second
	\operation x\first, x\second, [sp, #8 * \first]
	.endm

	.section .text.plf_vectors, "ax"
	.balign	2048
	.globl	plf_vectors
plf_vectors:
	unexpected			/* the kernel's, with SP_EL0 */
	unexpected
	unexpected
	unexpected
	unexpected			/* the kernel's; of routines: where they nest */
	.if	PLF_NESTING
	vector
	b	nested
	.else
	unexpected
	.endif
	.if	PLF_NESTING && PLF_CATEGORY_1
	vector
	b	nested
	.else
	unexpected
	.endif
	unexpected

	/*
	 * A task: a system call, or something forbidden. Of all exception classes that
	 * a Cortex-A53 has for 64-bit user mode, SVC alone (0x15) has both of these bits.
	 */
	vector
	mrs	x16, esr_el1
	tbz	w16, #26, faulted
	tbz	w16, #30, faulted
	str	x30, [sp, #PLF_TOP_LINK]
	cmp	x4, #calls
	.if	PLF_PROTECTED_FUNCTIONS
	b.hs	plf_port_function
	.globl	plf_port_service
plf_port_service:
	.else
	b.hs	no_service
	.endif
	ldp	x16, x3, [sp, #PLF_TOP_DOORS]
	ldr	x16, [x16, x4, lsl #3]
	blr	x16
answer:
	compare_running
	b.ne	switch_after_call
	clear	2, 17
	ldp	x30, x18, [sp, #PLF_TOP_LINK]
	eret

	/* A task was interrupted; by an FIQ: for a budget's sake, or beside the kernel. */
	vector
	b	interrupted
	.if	PLF_SERVERS || PLF_BUDGETS || PLF_CATEGORY_1
	vector
	b	interrupted
	.else
	unexpected
	.endif
	unexpected
	unexpected			/* 32-bit tasks: there are none */
	unexpected
	unexpected
	unexpected

	.text
no_service:
	mov	x0, #PLF_STATUS_SERVICEID
	mov	x1, xzr
	b	answer

	/* It never goes on from here: its registers are not needed. */
faulted:
	bl	plf_port_fault
	b	answer

	/* x30 to x16: the answer and the registers that C functions keep are still there. */
switch_after_call:
	tbnz	x16, #PLF_NO_TASK_BIT, load
	ldr	x16, [x16, #PLF_TASK_CONTEXT]
	ldr	x30, [sp, #PLF_TOP_LINK]
	move_two stp, 0, 1
	mrs	x4, spsr_el1		/* with PLF_SAVED_CALL */
save:
	kept	stp
	mrs	x2, elr_el1
	mrs	x3, sp_el0
	mrs	x5, tpidr_el0
	stp	x2, x3, [x16, #PLF_CONTEXT_PC]
	stp	x4, x5, [x16, #PLF_CONTEXT_SPSR]

	/* x17: the task that gets the core. */
load:
	cbz	x17, idle
	str	x17, [sp, #PLF_TOP_LOADED]
	ldr	x16, [x17, #PLF_TASK_CONTEXT]
	ldp	x4, x5, [x16, #PLF_CONTEXT_SPSR]
	ldp	x2, x30, [x16, #PLF_CONTEXT_TTBR0]
	msr	ttbr0_el1, x2
	tbnz	x4, #PLF_SAVED_SHIFT, begin
	ldp	x2, x3, [x16, #PLF_CONTEXT_PC]
	msr	elr_el1, x2
	msr	sp_el0, x3
	msr	tpidr_el0, x5
	tbnz	x4, #PLF_SAVED_SHIFT + 1, load_all
	msr	spsr_el1, x4
	kept	ldp
	move_two ldp, 0, 1
	clear	4, 17			/* x2, x3: its own */
	mov	x18, xzr
	eret

begin:
	ldp	x2, x3, [x16, #PLF_CONTEXT_ENTRY]
	msr	elr_el1, x2
	msr	sp_el0, x3
	msr	tpidr_el0, xzr
	msr	spsr_el1, xzr		/* user mode, nothing masked */
	clear	0, 1
	clear	4, 29			/* x2, x3: its own */
	eret

load_all:
	mov	w4, w4
	msr	spsr_el1, x4
	kept	ldp
	b	leave_interrupt

interrupted:
	stp	x16, x17, [sp, #PLF_TOP_SCRATCH]
	ldr	x16, [sp, #PLF_TOP_LOADED]
	ldr	x16, [x16, #PLF_TASK_CONTEXT]
	lost	stp
	ldp	x0, x1, [sp, #PLF_TOP_SCRATCH]
	stp	x0, x1, [x16, #PLF_CONTEXT_X + 8 * 16]
	str	x18, [x16, #PLF_CONTEXT_X + 8 * 18]
	str	x30, [x16, #PLF_CONTEXT_X + 8 * 30]
	bl	plf_port_interrupt
	compare_running
	b.ne	switch_after_interrupt
	ldr	x16, [x16, #PLF_TASK_CONTEXT]
	ldr	x30, [x16, #PLF_CONTEXT_X + 8 * 30]
leave_interrupt:
	lost	ldp
	ldr	x18, [x16, #PLF_CONTEXT_X + 8 * 18]
	ldp	x16, x17, [x16, #PLF_CONTEXT_X + 8 * 16]
	eret

switch_after_interrupt:
	tbnz	x16, #PLF_NO_TASK_BIT, load
	ldr	x16, [x16, #PLF_TASK_CONTEXT]
	ldr	x30, [x16, #PLF_CONTEXT_X + 8 * 30]
	mrs	x4, spsr_el1
	orr	x4, x4, #PLF_SAVED_ALL << PLF_SAVED_SHIFT
	b	save

	/* The routine of an interrupt was interrupted: it goes on as it was, whatever task does then. */
	.if	PLF_NESTING
nested:
	sub	sp, sp, #PLF_NESTED_FRAME
	lost_of_routine stp
	bl	plf_port_interrupt
	lost_of_routine ldp
	add	sp, sp, #PLF_NESTED_FRAME
	eret
	.endif

	/* No task: the last one's tables stay, of which the kernel uses only its own part. */
idle:
	mov	x16, #1 << PLF_NO_TASK_BIT
	str	x16, [sp, #PLF_TOP_LOADED]
	bl	plf_port_idle
	compare_running
	b	load

	/* The kernel itself did something wrong, its stack may be the reason. */
trapped:
	adrp	x0, plf_last_stack + PLF_LAST_STACK
	add	x0, x0, :lo12:plf_last_stack + PLF_LAST_STACK
	mrs	x1, mpidr_el1
	and	x1, x1, #0xff
	mov	x2, #PLF_LAST_STACK
	madd	x0, x1, x2, x0		/* that of this core */
	mov	sp, x0
	b	plf_port_trapped

	/* The vectors are in force, and x1 is the first core's stack; x0 is kept. */
	.macro	first_stack
	msr	spsel, #1
	msr	daifset, #0xf
	adrp	x1, plf_vectors
	add	x1, x1, :lo12:plf_vectors
	msr	vbar_el1, x1
	adrp	x1, plf_port_cores + PLF_KERNEL_GUARD + PLF_KERNEL_STACK
	add	x1, x1, :lo12:plf_port_cores + PLF_KERNEL_GUARD + PLF_KERNEL_STACK
	.endm

	/* Reset: at EL1, the caches off, and memory as the image says. */
	.section .text.plf_reset, "ax"
	.globl	plf_reset
plf_reset:
	first_stack
	mov	sp, x1
	bl	plf_port_boot
	compare_running
	b	load

	/* Reset of another core than the first, which is x0: as above. */
	.section .text.plf_reset_core, "ax"
	.globl	plf_reset_core
plf_reset_core:
	first_stack
	mov	x2, #PLF_PORT_CORE & 0xffff
	.if	PLF_PORT_CORE >> 16
	movk	x2, #PLF_PORT_CORE >> 16, lsl #16
	.endif
	madd	x1, x0, x2, x1
	mov	sp, x1
	b	plf_port_boot_core

	/* void plf_port_enter(void): no task's registers are loaded yet. */
	.section .text.plf_port_enter, "ax"
	.globl	plf_port_enter
plf_port_enter:
	mrs	x0, tpidr_el1
	mov	sp, x0
	compare_running
	b	load
