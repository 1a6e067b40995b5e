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
		".pushsection .rodata.str1.1, \"aMS\", @progbits, 1\n"                             \
		"1:	.string \"" #name "\"\n"                                                   \
		".popsection\n"                                                                    \
		".pushsection .text\n"                                                             \
		".globl " #name "\n"                                                               \
		".hidden " #name "\n"                                                              \
		".type " #name ", @function\n" #name ":\n"                                         \
		"	.cfi_startproc\n"                                                                \
		"	endbr64\n"                                                                       \
		"	jmp *plf_own_" #name "+8(%rip)\n"                                          \
		"2:	endbr64\n"                                                                     \
		"	leaq plf_own_" #name "(%rip), %r11\n"                                      \
		"	jmp plf_own_call_first\n"                                                        \
		"	.cfi_endproc\n"                                                                  \
		".size " #name ", . - " #name "\n"                                                 \
		".popsection\n");

/* r11 has the entry. Only registers of integer arguments are saved: no function here has others. */
#define PLF_DEFINE_OWN_CALL_FIRST                                                                  \
	__asm__(".pushsection .text\n"                                                             \
		".type plf_own_call_first, @function\n"                                            \
		"plf_own_call_first:\n"                                                            \
		"	.cfi_startproc\n"                                                                \
		"	pushq %rax\n"                                                                    \
		"	pushq %rdi\n"                                                                    \
		"	pushq %rsi\n"                                                                    \
		"	pushq %rdx\n"                                                                    \
		"	pushq %rcx\n"                                                                    \
		"	pushq %r8\n"                                                                     \
		"	pushq %r9\n"                                                                     \
		"	.cfi_adjust_cfa_offset 56\n"                                                     \
		"	movq %r11, %rdi\n"                                                               \
		"	call plf_own_call_find\n"                                                        \
		"	movq %rax, %r11\n"                                                               \
		"	popq %r9\n"                                                                      \
		"	popq %r8\n"                                                                      \
		"	popq %rcx\n"                                                                     \
		"	popq %rdx\n"                                                                     \
		"	popq %rsi\n"                                                                     \
		"	popq %rdi\n"                                                                     \
		"	popq %rax\n"                                                                     \
		"	.cfi_adjust_cfa_offset -56\n"                                                    \
		"	jmp *%r11\n"                                                                     \
		"	.cfi_endproc\n"                                                                  \
		".size plf_own_call_first, . - plf_own_call_first\n"                               \
		".popsection\n");

#endif
