/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_EACH_INSTRUCTION_H
#define PLF_TEST_EACH_INSTRUCTION_H

/*
 * Send SIGTRAP after each instruction of the calling thread. The handler runs there, at the
 * thread's own priority, and is not trapped.
 */
#if !defined(__x86_64__)
#error "add this processor's single steps here"
#endif

static inline void trap_each_instruction(void)
{
	__asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
}

static inline void trap_no_more(void)
{
	__asm__ volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
}

#endif
