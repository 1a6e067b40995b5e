/* SPDX-License-Identifier: MIT */
#ifndef PLF_NOTES_H
#define PLF_NOTES_H

/*
 * The notes of tasks about their sections, in user mode: no system call, so that a note disturbs
 * nothing but by its few instructions. Each task writes to its own private memory, which the
 * kernel reads when the run is over.
 */
#include "entry.h"
#include "os.h"
#include "plf_clock.h"

/* Room for so many notes of a task, at file scope. */
#define PLF_NOTES(task, size)                                                                      \
	uint64_t plf_notes_##task[size] TASK_DATA(task);                                           \
	uint32_t plf_noted_##task TASK_DATA(task)

#define plf_note(task, kind, resource)                                                             \
	plf_note_in(plf_notes_##task, sizeof(plf_notes_##task) / sizeof(uint64_t),                 \
		    &plf_noted_##task, kind, resource)

/* A note without room is counted all the same. */
static inline void plf_note_in(uint64_t *notes, size_t size, uint32_t *noted, unsigned kind,
			       ResourceType resource)
{
	if (*noted < size)
		notes[*noted] = plf_entry(plf_user_now_ns(), kind, resource);
	++*noted;
}

#endif
