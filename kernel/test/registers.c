/* SPDX-License-Identifier: MIT */
/*
 * The values in the registers after a call, after an interrupt, and at the start of a task. They
 * are the task's values or zeros, and no values of the kernel or of other tasks.
 */
#include "check.h"
#include "plf_clock.h"

DeclareTask(FRESH);
extern char plf_stack_high_FRESH[];

enum { PATTERN = 0x1000, SP = 31, FLAGS = 32, REGISTERS };

static uint64_t seen[REGISTERS];
volatile uint64_t at_start[REGISTERS];
static volatile uint64_t stop;

/* All registers get a distinct value, except `kept`, which the function needs. */
void call_patterned(unsigned number, uint64_t argument, uint64_t *seen);
void spin_patterned(volatile uint64_t *stop, uint64_t *seen);
void use_all(void);
extern char called[]; /* after the call of call_patterned() */

/* The caller's x19 to x30, then room for x0 to x30 and the flags. */
__asm__(".macro	frame\n"
	"	sub	sp, sp, #368\n"
	"	stp	x19, x20, [sp]\n	stp	x21, x22, [sp, #16]\n"
	"	stp	x23, x24, [sp, #32]\n	stp	x25, x26, [sp, #48]\n"
	"	stp	x27, x28, [sp, #64]\n	stp	x29, x30, [sp, #80]\n"
	"	.endm\n"
	".macro	unframe\n"
	"	ldp	x19, x20, [sp]\n	ldp	x21, x22, [sp, #16]\n"
	"	ldp	x23, x24, [sp, #32]\n	ldp	x25, x26, [sp, #48]\n"
	"	ldp	x27, x28, [sp, #64]\n	ldp	x29, x30, [sp, #80]\n"
	"	add	sp, sp, #368\n"
	"	.endm\n"
	".macro	pattern value, first, last\n"
	"	.irp	n, "
	"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30\n"
	"	.if	(\\n >= \\first) && (\\n <= \\last)\n"
	"	mov	x\\n, #\\value + \\n\n"
	"	.endif\n"
	"	.endr\n"
	"	.endm\n"
	/* Save the registers from [sp, #104] on, then copy them to the address in [sp, #96]. */
	".macro	see\n"
	"	.irp	n, "
	"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30\n"
	"	str	x\\n, [sp, #104 + 8 * \\n]\n"
	"	.endr\n"
	"	mrs	x3, nzcv\n"
	"	mov	x4, sp\n"
	"	ldr	x0, [sp, #96]\n"
	"	stp	x4, x3, [x0, #8 * 31]\n"
	"	add	x1, sp, #104\n"
	"	mov	x2, #8 * 31\n"
	"	bl	memcpy\n"
	"	.endm\n"
	"	.text\n"
	"call_patterned:\n"
	"	frame\n"
	"	str	x2, [sp, #96]\n"
	"	mov	w4, w0\n"
	"	mov	x0, x1\n"
	"	mov	x1, #0x50000000\n"
	"	msr	nzcv, x1\n"
	"	pattern 0x1000, 1, 3\n"
	"	pattern 0x1000, 5, 30\n"
	"	svc	#0\n"
	"called:\n"
	"	see\n"
	"	unframe\n"
	"	ret\n"
	"spin_patterned:\n"
	"	frame\n"
	"	str	x1, [sp, #96]\n"
	"	pattern 0x1000, 1, 30\n"
	"1:	ldr	x1, [x0]\n"
	"	cmp	x1, #1\n"
	"	nop\n"
	"	b.ne	1b\n"
	"	see\n"
	"	unframe\n"
	"	ret\n"
	"use_all:\n"
	"	frame\n"
	"	pattern 0x2000, 0, 29\n"
	"	unframe\n"
	"	ret\n"
	/* TASK(FRESH): no instruction before it has changed a register. */
	"	.globl	plf_task_FRESH\n"
	"plf_task_FRESH:\n"
	"	sub	sp, sp, #368\n"
	"	str	x0, [sp, #104]\n"
	"	adrp	x0, at_start\n"
	"	add	x0, x0, :lo12:at_start\n"
	"	str	x0, [sp, #96]\n"
	"	ldr	x0, [sp, #104]\n"
	"	see\n"
	"	mov	x4, #3\n" /* TerminateTask */
	"	svc	#0\n");

_Static_assert(PLF_CALL_TERMINATE_TASK == 3, "in plf_task_FRESH");

/* TPIDR_EL0, which no other code uses. */
enum { OF_MAIN = 0x1234, OF_HIGH = 0x5678 };
static uint64_t high_began_with;

static uint64_t thread_pointer(void)
{
	uint64_t value;

	__asm__ volatile("mrs %0, tpidr_el0" : "=r"(value));
	return value;
}

static void set_thread_pointer(uint64_t value)
{
	__asm__ volatile("msr tpidr_el0, %0" ::"r"(value));
}

TASK(HIGH)
{
	use_all();
	high_began_with |= thread_pointer();
	set_thread_pointer(OF_HIGH);
	stop = 1;
	TerminateTask();
}

/*
 * Expect the answer, and zeros in the registers that the kernel may use. All others have the
 * caller's values. If other tasks ran meanwhile, two registers have the caller's pc and sp.
 */
static void expect_called(uint64_t status, uint64_t value, bool others_ran)
{
	EXPECT(seen[0], status);
	EXPECT(seen[1], value);
	EXPECT(seen[2], others_ran ? (uintptr_t)called : 0);
	EXPECT(seen[3], others_ran ? seen[SP] : 0);
	for (unsigned n = 4; n <= 18; n++)
		EXPECT(seen[n], 0);
	for (unsigned n = 19; n <= 30; n++)
		EXPECT(seen[n], PATTERN + n);
	EXPECT(seen[FLAGS], 0x50000000);
}

static void call(unsigned number, uint64_t argument)
{
	call_patterned(number, argument, seen);
}

static void call_all(void)
{
	call(PLF_CALL_NULL, 0);
	expect_called(E_OK, 0, false);
	call(PLF_CALL_GET_TASK_ID, 0);
	expect_called(E_OK, MAIN, false);
	call(PLF_CALL_ACTIVATE_TASK, HIGH);
	expect_called(E_OK, 0, true);
	call(PLF_CALL_ACTIVATE_TASK, PLF_TASKS);
	expect_called(E_OS_ID, 0, false);
	call(PLF_CALLS, 0);
	expect_called(E_OS_SERVICEID, 0, false);
	call(UINT32_MAX, 0);
	expect_called(E_OS_SERVICEID, 0, false);
}

/* The interrupt comes at each instruction of the loop, each time with different flags. */
static void spin(TickType delay)
{
	stop = 0;
	EXPECT(SetRelAlarm(ALARM, delay, 0), E_OK);
	spin_patterned(&stop, seen);
	EXPECT(seen[0], (uintptr_t)&stop);
	EXPECT(seen[1], 1);
	for (unsigned n = 2; n <= 30; n++)
		EXPECT(seen[n], PATTERN + n);
}

TASK(MAIN)
{
	set_thread_pointer(OF_MAIN);
	call_all();
	EXPECT(thread_pointer(), OF_MAIN);
	for (TickType delay = 1; delay < 300; delay++)
		spin(delay);
	EXPECT(thread_pointer(), OF_MAIN);
	EXPECT(high_began_with, 0);
	use_all();
	EXPECT(ActivateTask(FRESH), E_OK);
	for (unsigned n = 0; n <= 29; n++)
		if (n != 2 && n != 3)
			EXPECT(at_start[n], 0);
	EXPECT(at_start[2], (uintptr_t)plf_task_FRESH);
	EXPECT(at_start[3], (uintptr_t)plf_stack_high_FRESH);
	EXPECT(at_start[FLAGS], 0);
	ShutdownOS(E_OK);
}
