/* SPDX-License-Identifier: MIT */
#ifndef PLF_SEQUENCE_H
#define PLF_SEQUENCE_H

/* The steps of a restartable sequence on AArch64. rseq.h combines them. */

/* Constraint of a memory operand: addressed by one register, so that one instruction stores it. */
#define PLF_SEQUENCE_WORD     "Q"
#define PLF_SEQUENCE_CLOBBERS "x16", "memory", "cc"

/* Announce the sequence to the kernel. Begin only on the expected CPU. */
#define PLF_SEQUENCE_BEGIN                                                                         \
	".pushsection plf_rseq_cs, \"aw\"\n"                                                       \
	".balign 32\n"                                                                             \
	"3:	.word	0, 0\n"                                                                          \
	"	.xword	1f, 2f - 1f, 4f\n"                                                                \
	".popsection\n"                                                                            \
	"	adrp	x16, 3b\n"                                                                          \
	"	add	x16, x16, :lo12:3b\n"                                                                \
	"	str	x16, [%[rseq], #8]\n"                                                                \
	"1:	ldr	w16, [%[rseq], #4]\n"                                                              \
	"	cmp	w16, %w[cpu]\n"                                                                      \
	"	b.ne	%l[mismatch]\n"

/* The kernel jumps only to an address that follows the signature; here that is a brk. */
#define PLF_SEQUENCE_END                                                                           \
	"2:\n"                                                                                     \
	".pushsection .text.plf_rseq, \"ax\"\n"                                                    \
	"	.inst	0xd428bc00\n"                                                                      \
	"4:	b	%l[restarted]\n"                                                                     \
	".popsection\n"

/* Compare: the word must have the register's value, or be 0. */
#define PLF_EXPECT_32(word, value)                                                                 \
	"	ldr	w16, %[" #word "]\n	cmp	w16, %w[" #value                           \
	"]\n	b.ne	%l[mismatch]\n"
#define PLF_EXPECT_64(word, value)                                                                 \
	"	ldr	x16, %[" #word "]\n	cmp	x16, %[" #value                            \
	"]\n	b.ne	%l[mismatch]\n"
#define PLF_EXPECT_ZERO_32(word) "	ldr	w16, %[" #word "]\n	cbnz	w16, %l[mismatch]\n"
#define PLF_EXPECT_ZERO_64(word) "	ldr	x16, %[" #word "]\n	cbnz	x16, %l[mismatch]\n"

/* Store the register, or copy another word. */
#define PLF_STORE_32(word, value) "	str	%w[" #value "], %[" #word "]\n"
#define PLF_STORE_64(word, value) "	str	%[" #value "], %[" #word "]\n"
#define PLF_COPY_64(word, from)	  "	ldr	x16, %[" #from "]\n	str	x16, %[" #word "]\n"

#endif
