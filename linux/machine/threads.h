/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_THREADS_H
#define MACHINE_THREADS_H

/*
 * The threads of the machine, as /proc shows them. A thread's identity is its TID together with its
 * start time, because a TID is used again when its thread has ended.
 */
#include "schedule.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { NAME_BYTES = 128, NO_IRQ = -1 };

enum kind { KIND_IRQ, KIND_KSOFTIRQD, KIND_KERNEL, KIND_USER };

struct thread {
	pid_t tid;
	pid_t pid;	  /* of its process, as passed to read_thread() */
	uint64_t started; /* in ticks since the machine started */
	enum kind kind;
	int irq;	       /* KIND_IRQ; else NO_IRQ */
	char name[NAME_BYTES]; /* KIND_IRQ: irq/N-ACTION, with the action's whole name */
	struct schedule schedule;
};

/*
 * Read the thread `tid` of the process `pid`. If only the TID is known, pass it as `pid`, too.
 * False: there is no such thread.
 */
bool read_thread(pid_t pid, pid_t tid, struct thread *thread);

/* Call `visit` for each thread. False: there is no /proc. */
bool each_thread(void (*visit)(const struct thread *thread, void *argument), void *argument);

/* irq, ksoftirqd, kernel, user */
const char *kind_name(enum kind kind);

/*
 * Kernels before 5.17 cut a thread's name to 15 letters. The action in `name` begins at `start`.
 * The folder `actions`, /proc/irq/N, has a folder for each action of the interrupt. If `name` has
 * 15 letters and exactly one of these folders begins like the action, put the folder's whole name
 * in the action's place.
 */
void complete_name(char name[NAME_BYTES], size_t start, const char *actions);

#endif
