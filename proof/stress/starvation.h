/* SPDX-License-Identifier: MIT */
#ifndef STRESS_STARVATION_H
#define STRESS_STARVATION_H

/* Does other work of the machine keep a process from its CPUs, so that it stands still? */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * One of its threads is ready, but since the last look, PERIOD_NS ago, all of them together
 * executed for less than a tenth of that. A livelock executes, and in a deadlock no thread is
 * ready. EXECUTED_NS is of the last look; 0 in the beginning.
 */
bool is_starved(pid_t process, uint64_t period_ns, uint64_t *executed_ns);

#endif
