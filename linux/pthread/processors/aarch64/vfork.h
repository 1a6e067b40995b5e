/* SPDX-License-Identifier: MIT */
#ifndef PLF_VFORK_H
#define PLF_VFORK_H

/* vfork() returns twice on one stack, so nothing of ours may lie there: jump to libc's vfork(). */
#define PLF_DEFINE_VFORK                                                                           \
	__asm__(".pushsection .text\n"                                                             \
		".globl vfork\n"                                                                   \
		".type vfork, %function\n"                                                         \
		"vfork:\n"                                                                         \
		"	.cfi_startproc\n"                                                                \
		"	hint #34\n" /* bti c */                                                    \
		"	stp x29, x30, [sp, -16]!\n"                                                      \
		"	.cfi_def_cfa_offset 16\n"                                                        \
		"	.cfi_offset 29, -16\n"                                                           \
		"	.cfi_offset 30, -8\n"                                                            \
		"	bl plf_before_vfork\n"                                                           \
		"	mov x16, x0\n"                                                                   \
		"	ldp x29, x30, [sp], 16\n"                                                        \
		"	.cfi_restore 29\n"                                                               \
		"	.cfi_restore 30\n"                                                               \
		"	.cfi_def_cfa_offset 0\n"                                                         \
		"	br x16\n"                                                                        \
		"	.cfi_endproc\n"                                                                  \
		".size vfork, . - vfork\n"                                                         \
		".popsection\n");

#endif
