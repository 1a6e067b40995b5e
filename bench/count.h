/* SPDX-License-Identifier: MIT */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

/*
 * Exact counts of the events in a piece of code, by a tracer process: this needs no
 * hardware counter, which virtual machines seldom have.
 *
 * Instructions: PTRACE_SINGLESTEP, one stop an instruction of user mode; a
 * system call is one instruction. System calls: PTRACE_SYSCALL.
 *
 * A tracer that stops a thread must not give the CPU to a thread of lower
 * priority, or it would change what it counts. So it runs on the same CPU above
 * all that it traces: whenever one of them stops, it is the tracer that goes on.
 */
#include <functional>
#include <optional>
#include <sys/types.h>
#include <vector>

namespace bench
{

enum class Event { INSTRUCTION, SYSTEM_CALL };

/* The events in `threads` while the caller runs `body`; nothing if this machine cannot count. */
std::optional<long> count(Event event, const std::vector<pid_t> &threads,
			  const std::function<void()> &body);

/*
 * Events in one round of body(rounds). The difference between N and 2 N rounds
 * holds nothing of what surrounds the loop.
 */
std::optional<double> count_per_round(Event event, const std::vector<pid_t> &threads,
				      const std::function<void(long)> &body);

} // namespace bench

#endif
