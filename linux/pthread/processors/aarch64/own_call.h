/* SPDX-License-Identifier: MIT */
#ifndef PLF_OWN_CALL_H
#define PLF_OWN_CALL_H

/* A hidden function NAME that jumps to the address in its entry of plf_own. */
#define PLF_DEFINE_OWN_CALL(name)                                                                  \
	__asm__(".pushsection plf_own, \"aw\"\n"                                                   \
		".balign 8\n"                                                                      \
		"plf_own_" #name ":\n"                                                             \
		"	.quad 1f, 2f\n"                                                                  \
		".popsection\n"                                                                    \
		".pushsection .rodata.str1.1, \"aMS\", %progbits, 1\n"                             \
		"1:	.string \"" #name "\"\n"                                                   \
		".popsection\n"                                                                    \
		".pushsection .text\n"                                                             \
		".globl " #name "\n"                                                               \
		".hidden " #name "\n"                                                              \
		".type " #name ", %function\n" #name ":\n"                                         \
		"	.cfi_startproc\n"                                                                \
		"	hint #34\n" /* bti c */                                                    \
		"	adrp x16, plf_own_" #name "\n"                                             \
		"	add x17, x16, :lo12:plf_own_" #name "\n"                                   \
		"	ldr x16, [x17, 8]\n"                                                             \
		"	br x16\n"                                                                        \
		"2:	hint #36\n" /* bti j */                                                    \
		"	b plf_own_call_first\n"                                                          \
		"	.cfi_endproc\n"                                                                  \
		".size " #name ", . - " #name "\n"                                                 \
		".popsection\n");

/* x17 has the entry. Only registers of integer arguments are saved: no function here has others. */
#define PLF_DEFINE_OWN_CALL_FIRST                                                                  \
	__asm__(".pushsection .text\n"                                                             \
		".type plf_own_call_first, %function\n"                                            \
		"plf_own_call_first:\n"                                                            \
		"	.cfi_startproc\n"                                                                \
		"	stp x29, x30, [sp, -96]!\n"                                                      \
		"	.cfi_def_cfa_offset 96\n"                                                        \
		"	.cfi_offset 29, -96\n"                                                           \
		"	.cfi_offset 30, -88\n"                                                           \
		"	stp x0, x1, [sp, 16]\n"                                                          \
		"	stp x2, x3, [sp, 32]\n"                                                          \
		"	stp x4, x5, [sp, 48]\n"                                                          \
		"	stp x6, x7, [sp, 64]\n"                                                          \
		"	str x8, [sp, 80]\n"                                                              \
		"	mov x0, x17\n"                                                                   \
		"	bl plf_own_call_find\n"                                                          \
		"	mov x16, x0\n"                                                                   \
		"	ldp x0, x1, [sp, 16]\n"                                                          \
		"	ldp x2, x3, [sp, 32]\n"                                                          \
		"	ldp x4, x5, [sp, 48]\n"                                                          \
		"	ldp x6, x7, [sp, 64]\n"                                                          \
		"	ldr x8, [sp, 80]\n"                                                              \
		"	ldp x29, x30, [sp], 96\n"                                                        \
		"	.cfi_restore 29\n"                                                               \
		"	.cfi_restore 30\n"                                                               \
		"	.cfi_def_cfa_offset 0\n"                                                         \
		"	br x16\n"                                                                        \
		"	.cfi_endproc\n"                                                                  \
		".size plf_own_call_first, . - plf_own_call_first\n"                               \
		".popsection\n");

#endif
