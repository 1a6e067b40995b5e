/* SPDX-License-Identifier: MIT */
#ifndef PLF_IRQ_H
#define PLF_IRQ_H

/* User mode masks interrupts: only with PLF_USER_MASKS_INTERRUPTS (plf_words.h). */
#include <stdint.h>

/* Mask interrupts. Returns the previous mask, for plf_restore_irq(). */
static inline __attribute__((warn_unused_result)) uintptr_t plf_mask_irq(void)
{
	uintptr_t daif;

	__asm__ volatile("mrs %0, daif\n\tmsr daifset, #2" : "=r"(daif)::"memory");
	return daif;
}

static inline void plf_restore_irq(uintptr_t daif)
{
	__asm__ volatile("msr daif, %0" ::"r"(daif) : "memory");
}

#endif
