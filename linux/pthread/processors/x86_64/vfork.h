/* SPDX-License-Identifier: MIT */
#ifndef PLF_VFORK_H
#define PLF_VFORK_H

/* vfork() returns twice on one stack, so nothing of ours may lie there: jump to libc's vfork(). */
#define PLF_DEFINE_VFORK                                                                           \
	__asm__(".pushsection .text\n"                                                             \
		".globl vfork\n"                                                                   \
		".type vfork, @function\n"                                                         \
		"vfork:\n"                                                                         \
		"	.cfi_startproc\n"                                                                \
		"	endbr64\n"                                                                       \
		"	subq $8, %rsp\n"                                                                 \
		"	.cfi_adjust_cfa_offset 8\n"                                                      \
		"	call plf_before_vfork\n"                                                         \
		"	addq $8, %rsp\n"                                                                 \
		"	.cfi_adjust_cfa_offset -8\n"                                                     \
		"	jmp *%rax\n"                                                                     \
		"	.cfi_endproc\n"                                                                  \
		".size vfork, . - vfork\n"                                                         \
		".popsection\n");

#endif
