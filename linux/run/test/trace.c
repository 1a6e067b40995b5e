/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct event {
	long long time;
	char kind[16];
	int activation;
};

bool contains(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

static const char *task_text(const char *trace, const char *task)
{
	char head[64];

	snprintf(head, sizeof(head), "{\"name\":\"%s\"", task);
	return strstr(trace, head);
}

/* Read the event of a line. */
static bool parse(const char *line, struct event *event)
{
	return sscanf(line, "[%lld,\"%15[a-z]\",%d,", &event->time, event->kind,
		      &event->activation) == 3;
}

/* The next line; NULL at the end of the task's text. */
static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end == NULL || end[-1] == '}' || strncmp(end - 2, "},", 2) == 0 ? NULL : end + 1;
}

long long event_time(const char *trace, const char *task, const char *kind, int activation)
{
	struct event event;

	for (const char *line = task_text(trace, task); line != NULL; line = next_line(line))
		if (parse(line, &event) && strcmp(event.kind, kind) == 0 &&
		    event.activation == activation)
			return event.time;
	return NOT_THERE;
}

size_t count_events(const char *trace, const char *task, const char *kind)
{
	struct event event;
	size_t count = 0;

	for (const char *line = task_text(trace, task); line != NULL; line = next_line(line))
		count += parse(line, &event) && strcmp(event.kind, kind) == 0;
	return count;
}

/* The number in the first field of that name. */
static long long number_in(const char *text, const char *field)
{
	char head[64];
	char *end;
	long long number;

	snprintf(head, sizeof(head), "\"%s\":", field);
	text = text == NULL ? NULL : strstr(text, head);
	if (text == NULL)
		return NOT_THERE;
	number = strtoll(text + strlen(head), &end, 10);
	return end == text + strlen(head) ? NOT_THERE : number;
}

long long task_number(const char *trace, const char *task, const char *field)
{
	return number_in(task_text(trace, task), field);
}

long long zero_time(const char *trace)
{
	return number_in(trace, "zero_ns");
}

bool times_ascend(const char *trace)
{
	long long before = 0;
	struct event event;

	for (const char *line = trace; *line != '\0'; line = strchrnul(line, '\n') + 1) {
		if (strncmp(line, "{\"name\"", 7) == 0)
			before = 0;
		if (!parse(line, &event))
			continue;
		if (event.time < before)
			return false;
		before = event.time;
	}
	return true;
}
