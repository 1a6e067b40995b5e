/* SPDX-License-Identifier: MIT */
#ifndef PLF_REGISTERS_H
#define PLF_REGISTERS_H

/* System registers and device registers. */
#include <stdint.h>

#define PLF_READ(name)                                                                             \
	({                                                                                         \
		uint64_t value_;                                                                   \
		__asm__ volatile("mrs %0, " name : "=r"(value_)::"memory");                        \
		value_;                                                                            \
	})

#define PLF_WRITE(name, value)                                                                     \
	__asm__ volatile("msr " name ", %x0" ::"rZ"((uint64_t)(value)) : "memory")

/* Registers written before take effect for the instructions after it. */
static inline void plf_isb(void)
{
	__asm__ volatile("isb" ::: "memory");
}

/*
 * Wait until all stores have arrived, also at devices and at the walker of the translation tables.
 */
static inline void plf_dsb(void)
{
	__asm__ volatile("dsb sy" ::: "memory");
}

static inline uint32_t plf_device_read(uintptr_t address)
{
	return *(volatile uint32_t *)address;
}

static inline void plf_device_write(uintptr_t address, uint32_t value)
{
	*(volatile uint32_t *)address = value;
}

#endif
