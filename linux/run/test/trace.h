/* SPDX-License-Identifier: MIT */
#ifndef RUN_TEST_TRACE_H
#define RUN_TEST_TRACE_H

/* Queries to the text of a trace. */
#include <stdbool.h>
#include <stddef.h>

enum { NOT_THERE = -1 };

/* The time of the task's first event of that kind and activation. */
long long event_time(const char *trace, const char *task, const char *kind, int activation);

/* How many events of that kind the task has, in all activations. */
size_t count_events(const char *trace, const char *task, const char *kind);

/* A number of the task, such as "lock_calls". NOT_THERE: missing or null. */
long long task_number(const char *trace, const char *task, const char *field);

/* Time 0 in CLOCK_MONOTONIC. NOT_THERE: the run was cut before. */
long long zero_time(const char *trace);

/* Do the times of each task never go back? */
bool times_ascend(const char *trace);

bool contains(const char *text, const char *part);

#endif
