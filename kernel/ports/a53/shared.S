/* SPDX-License-Identifier: MIT */
/*
 * The functions that the compiler calls by itself, for tasks and kernel alike: user mode and the
 * kernel may both execute this text, and neither can write it.
 */
	.macro	function name
	.section .plf_shared_text.\name, "ax"
	.globl	\name
	.type	\name, %function
\name:
	.endm

	/* void *memcpy(void *to, const void *from, size_t size) */
	function memcpy
	mov	x3, x0
	cbz	x2, 2f
1:	ldrb	w4, [x1], #1
	strb	w4, [x3], #1
	subs	x2, x2, #1
	b.ne	1b
2:	ret

	function memmove
	sub	x3, x0, x1
	cmp	x3, x2
	b.hs	memcpy			/* its end is not in the way */
1:	cbz	x2, 2f
	sub	x2, x2, #1
	ldrb	w4, [x1, x2]
	strb	w4, [x0, x2]
	b	1b
2:	ret

	/* void *memset(void *to, int value, size_t size) */
	function memset
	mov	x3, x0
	cbz	x2, 2f
1:	strb	w1, [x3], #1
	subs	x2, x2, #1
	b.ne	1b
2:	ret

	/* int memcmp(const void *one, const void *other, size_t size) */
	function memcmp
	mov	x3, x0
	mov	w0, wzr
1:	cbz	x2, 2f
	ldrb	w4, [x3], #1
	ldrb	w5, [x1], #1
	sub	x2, x2, #1
	subs	w0, w4, w5
	b.eq	1b
2:	ret

	/*
	 * void plf_instructions(uint64_t count): execute so many, from the call to the return,
	 * both included; at least 10. In blocks of 256: QEMU executes a block at once.
	 */
	.macro	nops count
	.rept	\count
	nop
	.endr
	.endm

	function plf_instructions
	sub	x0, x0, #9
	lsr	x1, x0, #8
	and	x0, x0, #255
	cbz	x1, 2f
1:	nops	254
	subs	x1, x1, #1
	b.ne	1b
2:	adr	x2, 3f
	sub	x2, x2, x0, lsl #2
	br	x2
	nops	255
3:	ret
