/* SPDX-License-Identifier: MIT */
#include "find.h"

#include "../machine/say.h"
#include "interrupt.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_BYTES = 900 };
static const char ANY_NUMBER[] = "irq/*-";

/* The machine's interrupt threads, and the threads among them that match the name. */
struct interrupt_threads {
	const char *name;
	int matches;
	struct thread match;	/* the last match */
	char all[LIST_BYTES];	/* "irq/24-eth0 (TID 50), ..." */
	char those[LIST_BYTES]; /* the matches */
};

static void append(char list[LIST_BYTES], const struct thread *thread)
{
	size_t length = strlen(list);

	snprintf(list + length, LIST_BYTES - length, "%s%s (TID %d)", length > 0 ? ", " : "",
		 thread->name, thread->tid);
}

/* Does the thread have that name? The number of the interrupt may be left open. */
static bool has_name(const struct thread *thread, const char *name)
{
	const char *dash = strchr(thread->name, '-');

	if (strncmp(name, ANY_NUMBER, strlen(ANY_NUMBER)) == 0)
		return dash != NULL && strcmp(dash + 1, name + strlen(ANY_NUMBER)) == 0;
	return strcmp(thread->name, name) == 0;
}

static void look_at(const struct thread *thread, void *argument)
{
	struct interrupt_threads *threads = argument;

	if (thread->kind != KIND_IRQ)
		return;
	append(threads->all, thread);
	if (!has_name(thread, threads->name))
		return;
	append(threads->those, thread);
	threads->match = *thread;
	threads->matches++;
}

static bool find_by_name(const char *name, struct thread *thread)
{
	struct interrupt_threads threads = { .name = name };

	if (!each_thread(look_at, &threads))
		refuse("cannot look for %s: /proc is not mounted", name);
	else if (threads.all[0] == '\0')
		refuse("found no interrupt threads, and %s is one: start the kernel with "
		       "threadirqs, or a PREEMPT_RT kernel",
		       name);
	else if (threads.matches == 0 && has_interrupt("/proc/irq", name))
		refuse("found no thread %s, though there is the interrupt: this kernel serves it "
		       "without a thread; start it with threadirqs, or a PREEMPT_RT kernel. "
		       "Those with a thread: %s",
		       name, threads.all);
	else if (threads.matches == 0)
		refuse("found no thread %s; expected one of: %s", name, threads.all);
	else if (threads.matches > 1)
		refuse("found several threads %s; expected the whole name, or the TID, of one of: "
		       "%s",
		       name, threads.those);
	*thread = threads.match;
	return threads.matches == 1;
}

static bool find_by_tid(const char *argument, struct thread *thread)
{
	char *end;
	long tid = strtol(argument, &end, 10);

	if (end == argument || *end != '\0' || tid <= 0 || tid > INT_MAX) {
		refuse("THREAD: found %s; expected irq/N-ACTION or a TID", argument);
		return false;
	}
	if (read_thread((pid_t)tid, (pid_t)tid, thread))
		return true;
	refuse("found no thread with the TID %ld", tid);
	return false;
}

bool find_thread(const char *argument, struct thread *thread)
{
	if (strncmp(argument, "irq/", strlen("irq/")) == 0)
		return find_by_name(argument, thread);
	return find_by_tid(argument, thread);
}
