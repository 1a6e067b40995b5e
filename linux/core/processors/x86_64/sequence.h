/* SPDX-License-Identifier: MIT */
#ifndef PLF_SEQUENCE_H
#define PLF_SEQUENCE_H

/* The steps of a restartable sequence on x86-64. rseq.h combines them. */

/* Constraint of a memory operand. */
#define PLF_SEQUENCE_WORD     "m"
#define PLF_SEQUENCE_CLOBBERS "rax", "memory", "cc"

/* Announce the sequence to the kernel. Begin only on the expected CPU. */
#define PLF_SEQUENCE_BEGIN                                                                         \
	".pushsection plf_rseq_cs, \"aw\"\n"                                                       \
	".balign 32\n"                                                                             \
	"3:	.long	0, 0\n"                                                                          \
	"	.quad	1f, 2f - 1f, 4f\n"                                                                 \
	".popsection\n"                                                                            \
	"	leaq	3b(%%rip), %%rax\n"                                                                 \
	"	movq	%%rax, 8(%[rseq])\n"                                                                \
	"1:	cmpl	%[cpu], 4(%[rseq])\n"                                                             \
	"	jne	%l[mismatch]\n"

/*
 * The kernel jumps only to an address that follows the signature: here, the tail of an invalid
 * opcode.
 */
#define PLF_SEQUENCE_END                                                                           \
	"2:\n"                                                                                     \
	".pushsection .text.plf_rseq, \"ax\"\n"                                                    \
	"	.byte	0x0f, 0xb9, 0x3d\n"                                                                \
	"	.long	0x53053053\n"                                                                      \
	"4:	jmp	%l[restarted]\n"                                                                   \
	".popsection\n"

/* Compare: the word must have the register's value, or be 0. */
#define PLF_EXPECT_32(word, value)                                                                 \
	"	cmpl	%k[" #value "], %[" #word "]\n	jne	%l[mismatch]\n"
#define PLF_EXPECT_64(word, value)                                                                 \
	"	cmpq	%[" #value "], %[" #word "]\n	jne	%l[mismatch]\n"
#define PLF_EXPECT_ZERO_32(word) "	cmpl	$0, %[" #word "]\n	jne	%l[mismatch]\n"
#define PLF_EXPECT_ZERO_64(word) "	cmpq	$0, %[" #word "]\n	jne	%l[mismatch]\n"

/* Store the register, or copy another word. */
#define PLF_STORE_32(word, value) "	movl	%[" #value "], %[" #word "]\n"
#define PLF_STORE_64(word, value) "	movq	%[" #value "], %[" #word "]\n"
#define PLF_COPY_64(word, from)	  "	movq	%[" #from "], %%rax\n	movq	%%rax, %[" #word "]\n"

#endif
