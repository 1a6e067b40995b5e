/* SPDX-License-Identifier: MIT */
#ifndef PLF_POSTPONED_CEILING_H
#define PLF_POSTPONED_CEILING_H

/*
 * The postponed priority change of a kernel mutex. A task that takes the mutex only notes this. Its
 * priority is raised when it may lose the CPU.
 *
 * Source: Carminati, Oliveira, Friedrich 2012, Section IV.A. Their list of mutexes and their flag
 * "priority adjustment pending" are members of task_struct. Here each CPU has a list of the running
 * task's sections that have not raised its priority yet. They are settled before the task can leave
 * the CPU. So the list always belongs to the running task, and is empty when another task begins to
 * run.
 *
 * The owner's half must run with preemption off, because the list belongs to the CPU. A preemption
 * between taking the mutex and noting it would also find an owner that is not on the list. Noting
 * it first would write into a mutex that another task may hold.
 *
 * The list's head is a per-CPU word, whose accessors differ between kernels. So the functions take
 * its value and return the new value.
 *
 * Invariants (with preemption on):
 *  I1  a task's sections are on the list of the CPU on which it runs, or settled: their ceilings
 *      are in its priority;
 *  I2  a section is on at most one list, and only while its mutex is held;
 *  I3  whenever a task is not running, none of its sections is on a list.
 */
#include "word.h"

struct plf_section {
	uint64_t older;	  /* address of the section below it on the list; 0: none */
	uint32_t ceiling; /* 1 to 98; does not change while the mutex is held */
};

/* ---- The owner's half: with preemption off ----------------------------- */

/* Put S, just entered, on top of the list. Returns the new head. */
static inline __attribute__((warn_unused_result)) uint64_t plf_postpone(struct plf_section *s,
									uint64_t newest)
{
	plf_store64(&s->older, newest);
	return (uint64_t)(uintptr_t)s;
}

/* Return whether S is on top. If not, S is settled or was not entered last. */
static inline bool plf_is_newest(const struct plf_section *s, uint64_t newest)
{
	return newest == (uint64_t)(uintptr_t)s;
}

/* Take S, which must be on top, off the list. Returns the new head. */
static inline __attribute__((warn_unused_result)) uint64_t
plf_unpostpone(const struct plf_section *s)
{
	return plf_load64(&s->older);
}

/* ---- The kernel's half: when the running task may lose the CPU ---------- */

/*
 * Return the section at the head; NULL: the end of the list. The caller must empty the list and
 * walk it from the newest to the oldest section. From now on all of them count for the task's
 * priority.
 */
static inline struct plf_section *plf_section_at(uint64_t head)
{
	return (struct plf_section *)(uintptr_t)head;
}

#endif
