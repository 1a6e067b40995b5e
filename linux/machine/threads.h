/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_THREADS_H
#define MACHINE_THREADS_H

/*
 * The threads of the machine, as /proc shows them. A thread's identity is its TID together with
 * when it was started: a TID is given again when its thread has ended.
 */
#include "schedule.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { NAME_BYTES = 128, NO_IRQ = -1 };

enum kind { KIND_IRQ, KIND_KSOFTIRQD, KIND_KERNEL, KIND_USER };

struct thread {
	pid_t tid;
	pid_t pid;	  /* of its process: that by which it was found */
	uint64_t started; /* in ticks since the machine started */
	enum kind kind;
	int irq;	       /* of KIND_IRQ; else NO_IRQ */
	char name[NAME_BYTES]; /* of KIND_IRQ irq/N-ACTION, with the whole name of the action */
	struct schedule schedule;
};

/* The thread `tid` of the process `pid`, or where only the TID is known, of pid = tid. False: there
 * is no such thread. */
bool read_thread(pid_t pid, pid_t tid, struct thread *thread);

/* Call `visit` for each. False: there is no /proc. */
bool each_thread(void (*visit)(const struct thread *thread, void *argument), void *argument);

/* irq, ksoftirqd, kernel, user */
const char *kind_name(enum kind kind);

/*
 * Kernels before 5.17 cut the name of a thread to 15 letters. Where `name` is so long, and exactly
 * one folder of `actions` (/proc/irq/N, with one for each action of the interrupt) begins as
 * the action in `name` does, put the whole action in its place. `start`: of the action in `name`.
 */
void complete_name(char name[NAME_BYTES], size_t start, const char *actions);

#endif
