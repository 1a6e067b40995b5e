/* SPDX-License-Identifier: MIT */
#ifndef PLF_POSTPONED_CEILING_H
#define PLF_POSTPONED_CEILING_H

/*
 * The postponed priority change of a kernel mutex: a task that takes it only notes that it
 * has; its priority is raised when it may lose the CPU.
 *
 * Source: Carminati, Oliveira, Friedrich 2012, Section IV.A. Their list of mutexes and
 * their flag "priority adjustment pending" are members of task_struct. Here each CPU
 * has one list, that of the running task's sections that were not raised yet: what is
 * pending is settled before the task can leave the CPU, so the list is always the
 * running task's, and empty when another one begins to run.
 *
 * The owner's half runs with preemption off: between taking the mutex and noting it
 * a preemption would find an owner that is not to be raised; and the list is the CPU's.
 * Noting it first would write into a mutex that another task may hold.
 *
 * The list's head is a word of each CPU, which has accessors of its own in every kernel:
 * the halves take its value, and return the new one.
 *
 * Invariants (with preemption on):
 *  I1  a task's sections are on the list of the CPU on which it runs, or settled: their
 *      ceilings are in its priority;
 *  I2  a section is on at most one list, and on one only while its mutex is held;
 *  I3  whenever a task is not running, none of its sections is on a list.
 */
#include "word.h"

struct plf_section {
	uint64_t older;	  /* address of the section below it on the list; 0: none */
	uint32_t ceiling; /* 1 to 98; does not change while the mutex is held */
};

/* ---- The owner's half: with preemption off ----------------------------- */

/* S, just entered, goes on top of the list. Returns the head. */
static inline __attribute__((warn_unused_result)) uint64_t plf_postpone(struct plf_section *s,
									uint64_t newest)
{
	plf_store64(&s->older, newest);
	return (uint64_t)(uintptr_t)s;
}

/* Is S on top? If not it is settled, or was not entered last. */
static inline bool plf_is_newest(const struct plf_section *s, uint64_t newest)
{
	return newest == (uint64_t)(uintptr_t)s;
}

/* Take S, which is on top, off the list. Returns the head. */
static inline __attribute__((warn_unused_result)) uint64_t
plf_unpostpone(const struct plf_section *s)
{
	return plf_load64(&s->older);
}

/* ---- The kernel's half: when the running task may lose the CPU ---------- */

/*
 * The list is emptied by the caller. Go through it from the newest section to the
 * oldest: NULL at its end. All of them count for the task's priority from now on.
 */
static inline struct plf_section *plf_section_at(uint64_t head)
{
	return (struct plf_section *)(uintptr_t)head;
}

#endif
