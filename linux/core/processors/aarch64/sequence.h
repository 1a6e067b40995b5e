/* SPDX-License-Identifier: MIT */
#ifndef PLF_SEQUENCE_H
#define PLF_SEQUENCE_H

/* The steps of a restartable sequence on AArch64. rseq.h makes the sequences of them. */

/* How a word in memory is an operand: addressed by one register, so that a store is whole. */
#define PLF_SEQUENCE_WORD     "Q"
#define PLF_SEQUENCE_CLOBBERS "x16", "memory", "cc"

/* Name the sequence to the kernel; begin, on the CPU that was expected. */
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

/* The kernel goes on only where the signature stands before: here a brk. */
#define PLF_SEQUENCE_END                                                                           \
	"2:\n"                                                                                     \
	".pushsection .text.plf_rseq, \"ax\"\n"                                                    \
	"	.inst	0xd428bc00\n"                                                                      \
	"4:	b	%l[restarted]\n"                                                                     \
	".popsection\n"

/* Look: the word has the register's value, or is 0. */
#define PLF_EXPECT_32(word, value)                                                                 \
	"	ldr	w16, %[" #word "]\n	cmp	w16, %w[" #value                           \
	"]\n	b.ne	%l[mismatch]\n"
#define PLF_EXPECT_64(word, value)                                                                 \
	"	ldr	x16, %[" #word "]\n	cmp	x16, %[" #value                            \
	"]\n	b.ne	%l[mismatch]\n"
#define PLF_EXPECT_ZERO_32(word) "	ldr	w16, %[" #word "]\n	cbnz	w16, %l[mismatch]\n"
#define PLF_EXPECT_ZERO_64(word) "	ldr	x16, %[" #word "]\n	cbnz	x16, %l[mismatch]\n"

/* Store: the register, or another word. */
#define PLF_STORE_32(word, value) "	str	%w[" #value "], %[" #word "]\n"
#define PLF_STORE_64(word, value) "	str	%[" #value "], %[" #word "]\n"
#define PLF_COPY_64(word, from)	  "	ldr	x16, %[" #from "]\n	str	x16, %[" #word "]\n"

#endif
