/* SPDX-License-Identifier: MIT */
#ifndef PLF_NOTES_H
#define PLF_NOTES_H

/*
 * Notes of tasks about their sections. A task writes a note in user mode without a system call, so
 * a note costs only a few instructions. It goes to the task's private memory, which the kernel
 * reads after the run.
 */
#include "entry.h"
#include "os.h"
#include "plf_clock.h"

/* Define the memory for `size` notes of a task, at file scope. */
#define PLF_NOTES(task, size)                                                                      \
	uint64_t plf_notes_##task[size] TASK_DATA(task);                                           \
	uint32_t plf_noted_##task TASK_DATA(task)

#define plf_note(task, kind, resource)                                                             \
	plf_note_in(plf_notes_##task, sizeof(plf_notes_##task) / sizeof(uint64_t),                 \
		    &plf_noted_##task, kind, resource)

/* A note without room is only counted. The trace then ends with `room`. */
static inline void plf_note_in(uint64_t *notes, size_t size, uint32_t *noted, unsigned kind,
			       ResourceType resource)
{
	if (*noted < size)
		notes[*noted] = plf_entry(plf_user_now_ns(), kind, resource);
	++*noted;
}

#endif
