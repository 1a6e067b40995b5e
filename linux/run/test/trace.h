/* SPDX-License-Identifier: MIT */
#ifndef RUN_TEST_TRACE_H
#define RUN_TEST_TRACE_H

/* A test's queries to the text of a trace. */
#include <stdbool.h>
#include <stddef.h>

enum { NOT_THERE = -1 };

/* The time of the task's event of that kind and activation, the first one. */
long long event_time(const char *trace, const char *task, const char *kind, int activation);

/* How many of that kind the task has, in all activations. */
size_t count_events(const char *trace, const char *task, const char *kind);

/* A number of the task, such as "lock_calls"; NOT_THERE also for null. */
long long task_number(const char *trace, const char *task, const char *field);

/* The tasks' time 0 as CLOCK_MONOTONIC has it; NOT_THERE: the run was cut before it was known. */
long long zero_time(const char *trace);

/* The times of each task never go back. */
bool times_ascend(const char *trace);

bool contains(const char *text, const char *part);

#endif
