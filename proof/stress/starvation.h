/* SPDX-License-Identifier: MIT */
#ifndef STRESS_STARVATION_H
#define STRESS_STARVATION_H

/* Whether other work of the machine keeps a process from its CPUs, so that it stands still. */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Returns whether a thread is ready, but all threads together executed for too short a time. They
 * must execute for a tenth of PERIOD_NS, the time since the last look. A livelock executes, and in
 * a deadlock no thread is ready. EXECUTED_NS keeps the time at the last look; it must be 0 in the
 * beginning.
 */
bool is_starved(pid_t process, uint64_t period_ns, uint64_t *executed_ns);

#endif
