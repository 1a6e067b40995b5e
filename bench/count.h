/* SPDX-License-Identifier: MIT */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

/*
 * Exact counts of the events in a piece of code, by a tracer process. No hardware counter is
 * needed, because virtual machines seldom have one.
 *
 * Instructions: PTRACE_SINGLESTEP, a stop for each instruction of user mode. A system call is a
 * single instruction. System calls: PTRACE_SYSCALL.
 *
 * While the tracer stops a thread, no thread of lower priority may get the CPU, because that would
 * change the count. So the tracer runs on the same CPU, above all threads that it traces. When a
 * thread stops, the tracer is the next to run.
 */
#include <functional>
#include <optional>
#include <sys/types.h>
#include <vector>

namespace bench
{

enum class Event { INSTRUCTION, SYSTEM_CALL };

/* The events in `threads` while the caller runs `body`; nullopt if this machine cannot count. */
std::optional<long> count(Event event, const std::vector<pid_t> &threads,
			  const std::function<void()> &body);

/*
 * Events in a round of body(rounds). The difference between N and 2 N rounds excludes the code
 * around the loop.
 */
std::optional<double> count_per_round(Event event, const std::vector<pid_t> &threads,
				      const std::function<void(long)> &body);

} // namespace bench

#endif
