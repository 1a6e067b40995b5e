/* SPDX-License-Identifier: MIT */
#ifndef RUN_CPUS_H
#define RUN_CPUS_H

#include <stdbool.h>
#include <stddef.h>

/* May this process use that CPU? */
__attribute__((warn_unused_result)) bool cpu_is_allowed(int cpu);

/* The CPUs that it may use, as "0-1,4". */
void allowed_cpus(char *text, size_t size);

/* Pin the calling thread to that CPU. Returns 0 or an errno value. */
__attribute__((warn_unused_result)) int pin_to(int cpu);

#endif
