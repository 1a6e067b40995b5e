/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_NESTED_REGISTERS_H
#define PLF_TEST_NESTED_REGISTERS_H

/*
 * For a handler: an interrupt comes between two instructions of a routine, and the registers must
 * be the same afterwards. On the simulated processor the kernel saves no registers.
 */
#include "check.h"
#include "kernel/port.h"

#ifdef __aarch64__

enum { PATTERN = 0x1000, FLAGS = 31, REGISTERS };

/*
 * Let pending interrupts come while each of x0 to x30 has a distinct value. `seen` gets the values
 * after that.
 */
void open_patterned(uint64_t *seen);

__asm__("	.macro	for_each what\n"
	"	.irp	n, "
	"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30\n"
	"	\\what	\\n\n"
	"	.endr\n"
	"	.endm\n"
	"	.macro	pattern n\n	mov	x\\n, #0x1000 + \\n\n	.endm\n"
	"	.macro	see n\n	str	x\\n, [sp, #112 + 8 * \\n]\n	.endm\n"
	"	.macro	kept operation\n"
	"	\\operation	x19, x20, [sp]\n	\\operation	x21, x22, [sp, #16]\n"
	"	\\operation	x23, x24, [sp, #32]\n	\\operation	x25, x26, [sp, #48]\n"
	"	\\operation	x27, x28, [sp, #64]\n	\\operation	x29, x30, [sp, #80]\n"
	"	.endm\n"
	"	.text\n"
	"open_patterned:\n"
	"	sub	sp, sp, #368\n"
	"	kept	stp\n"
	"	str	x0, [sp, #96]\n"
	"	mov	x1, #0x50000000\n"
	"	msr	nzcv, x1\n"
	"	for_each pattern\n"
	"	msr	daifclr, #2\n"
	"	nop\n"
	"	for_each see\n"
	"	mrs	x1, nzcv\n"
	"	ldr	x0, [sp, #96]\n"
	"	str	x1, [x0, #8 * 31]\n"
	"	add	x2, sp, #112\n"
	"	mov	x3, #31\n"
	"1:	ldr	x4, [x2], #8\n"
	"	str	x4, [x0], #8\n"
	"	subs	x3, x3, #1\n"
	"	b.ne	1b\n"
	"	kept	ldp\n"
	"	add	sp, sp, #368\n"
	"	ret\n");

/* Call this in a routine. The interrupt `source` comes into it. */
static inline void expect_registers_kept(uint32_t source)
{
	uint64_t seen[REGISTERS];

	__asm__ volatile("msr daifset, #2" ::: "memory");
	plf_port_raise(source);
	open_patterned(seen);
	for (unsigned i = 0; i < FLAGS; i++)
		EXPECT(seen[i], PATTERN + i);
	EXPECT(seen[FLAGS], 0x50000000);
}

/* The routine that comes uses all registers that a C function need not keep. */
static inline void use_registers(void)
{
	__asm__ volatile("	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18\n"
			 "	mov	x\\n, #0x7777\n"
			 "	.endr\n"
			 "	cmp	xzr, xzr" ::
				 : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9",
				   "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18",
				   "cc");
}

#else

static inline void expect_registers_kept(uint32_t source)
{
	plf_port_raise(source);
}

static inline void use_registers(void)
{
}

#endif

#endif
