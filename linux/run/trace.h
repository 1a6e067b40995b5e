/* SPDX-License-Identifier: MIT */
#ifndef RUN_TRACE_H
#define RUN_TRACE_H

/*
 * The trace: a record as JSON. Times are nanoseconds after time 0.
 *
 *   {"version": 2, "protocol": NAME,
 *    "cut": null | why the run did not come to its end,
 *    "kernel": RELEASE, "priority_limit_us": [RUNTIME, PERIOD],
 *    "backend": of libplafond, or "none",
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
 * A turn of a run step usually takes "turn_ns". Speeds are of run steps, in stretches of 10 us.
 * "slowest_turns_per_us" has the slowest speed of each activation. A speed is null if there is no
 * whole stretch.
 *
 * An activation is an index of `arrivals_ns`, and a resource is an index of `resources`. record.h
 * has the kinds of events; each event is a line. A sleep ends ("wake") at its due time. If the
 * thread got its processor later, a gap follows.
 *
 * If the plan has no servers, "servers" is left out. Their kinds of events are replenish, deplete,
 * get, lose, overrun, payback and keep-out, at the instants when libplafond has them due
 * (plf_server_watch()). The manager's numbers count from time 0 on; they are null if the run was
 * cut. `calls` is how often tasks of this server called the manager at a section's end.
 * `latest_ns` is the longest that it was late at an event of this server.
 *
 * If a task did not come to its end, its counts are null, except lost gaps. `lock_calls` is also
 * null if they were not counted. A number of `priority_limit_us` is null if the kernel reports no
 * limit. If a run was cut in its set-up, "turn_ns" is null for a CPU that was not measured yet,
 * and so is the stolen time. The stolen time is also null if it could not be read.
 */
#include "plan.h"
#include "record.h"

#include <stdio.h>

/* The trace of the plan is no larger. */
size_t trace_bytes(const struct plan *plan);

/* Write the trace. `cut`: why the run did not come to its end, or NULL. */
void write_trace(FILE *file, const struct plan *plan, const struct record *record, const char *cut);

#endif
