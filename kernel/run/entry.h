/* SPDX-License-Identifier: MIT */
#ifndef PLF_ENTRY_H
#define PLF_ENTRY_H

/*
 * An event in a word: 48 bits of nanoseconds (three days), 8 bits for its kind, and 8 bits for its
 * object: a task, a resource or a server. Events of the kernel and notes of tasks have this form.
 */
#include <stdint.h>

/* The notes of a task; the kernel's events are in trace.h. */
enum plf_note_kind {
	PLF_NOTE_REQUEST, /* the task asks for the resource */
	PLF_NOTE_GRANT,	  /* the task holds the resource */
	PLF_NOTE_UNLOCK,  /* the task is about to release the resource */
	PLF_NOTE_KINDS,
};

static inline uint64_t plf_entry(uint64_t time_ns, unsigned kind, unsigned object)
{
	return time_ns << 16 | (uint64_t)kind << 8 | object;
}

static inline uint64_t plf_entry_time_ns(uint64_t entry)
{
	return entry >> 16;
}

static inline unsigned plf_entry_kind(uint64_t entry)
{
	return entry >> 8 & 0xff;
}

static inline unsigned plf_entry_object(uint64_t entry)
{
	return entry & 0xff;
}

#endif
