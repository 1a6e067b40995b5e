/* SPDX-License-Identifier: MIT */
#ifndef RUN_TRACE_H
#define RUN_TRACE_H

/*
 * The trace: a record as JSON. Times are nanoseconds after time 0.
 *
 *   {"version": 2, "protocol": NAME,
 *    "cut": null | why the run did not come to its end,
 *    "kernel": RELEASE, "priority_limit_us": [RUNTIME, PERIOD],
 *    "backend": that of libplafond, or "none",
 *    "zero_ns": time 0 in CLOCK_MONOTONIC | null: not reached,
 *    "cpus": [{"cpu": N, "turn_ns": N,
 *              "turns_per_us": {"median": X, "slowest": X}, "steal_ns": N}],
 *    "resources": [NAME, ...],
 *    "tasks": [{"name": NAME, "arrivals_ns": [N, ...],
 *               "slowest_turns_per_us": [X | null, ...], "thread": TID | null: not started,
 *               "voluntary_switches": N, "involuntary_switches": N,
 *               "minor_faults": N, "major_faults": N, "lock_calls": N, "lost_gaps": N,
 *               "events": [[TIME, KIND, ACTIVATION, RESOURCE | null], ...]}],
 *    "servers": [{"name": NAME, "manager": null | {"decisions": N, "busy_ns": N,
 *                 "priority_changes": N, "calls": N, "latest_ns": N},
 *                 "events": [[TIME, KIND], ...]}],
 *    "lock_calls_not_counted": null | why,
 *    "spare_cpu_time_ns": null | N}
 *
 * A turn of a run step usually takes "turn_ns". Speeds are those of run steps, in stretches of
 * 10 us; "slowest_turns_per_us" has the slowest of each activation. They are null without a whole
 * stretch.
 *
 * An activation and a resource are indices of `arrivals_ns` and `resources`. The
 * kinds of events: see record.h; one a line. A sleep ends ("wake") when it was due
 * to; if the thread got its processor only later, a gap follows.
 *
 * "servers" is left out where the plan has none. Their kinds of events: replenish, deplete, get,
 * lose, overrun, payback and keep-out, at the instants when these are due, as libplafond has them
 * (plf_server_watch()). The manager is that of the CPU, from time 0 on, and null in a run that was
 * cut; tasks of this server called it so often, at the end of a section, and it was late by
 * latest_ns at most at an event of this server.
 *
 * A task that did not come to its end has null for the counts, apart from lost
 * gaps; `lock_calls` is null also where they were not counted, and each number of
 * `priority_limit_us` where the kernel reports none. A run that was cut in its set-up
 * has null for "turn_ns" of a CPU that was not measured yet, and for the time
 * stolen, which is null also where it could not be read.
 */
#include "plan.h"
#include "record.h"

#include <stdio.h>

/* No trace of the plan is larger. */
size_t trace_bytes(const struct plan *plan);

/* `cut`: why the run did not come to its end, or NULL. */
void write_trace(FILE *file, const struct plan *plan, const struct record *record, const char *cut);

#endif
