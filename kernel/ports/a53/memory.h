/* SPDX-License-Identifier: MIT */
#ifndef PLF_MEMORY_H
#define PLF_MEMORY_H

/* Translation tables, and the access that they allow. */
#include <stdbool.h>
#include <stdint.h>

/* Make the tables of all cores, once; then switch on the tables and the caches of each core. */
void plf_memory_prepare(void);
void plf_memory_start(unsigned core);

/* The value of TTBR0_EL1 for the task. */
uint64_t plf_memory_of_task(unsigned index);

/* The same for a domain of kernel/function.h. */
uint64_t plf_memory_of_domain(unsigned index);

/* Whether user mode may write all these bytes, with the tables in force. */
__attribute__((warn_unused_result)) bool plf_memory_user_may_write(uintptr_t address,
								   uintptr_t size);

/* Whether user mode may read 1 to 4096 bytes. Takes constant time. */
__attribute__((warn_unused_result)) bool plf_memory_user_may_read(uintptr_t address,
								  uintptr_t size);

/*
 * The access of the task to all these bytes, in the bits of an AccessType. `size` is at least 1,
 * and the bytes must not wrap around.
 */
unsigned plf_memory_access_of(unsigned index, uintptr_t address, uintptr_t size);

#endif
