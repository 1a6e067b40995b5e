/* SPDX-License-Identifier: MIT */
#ifndef PLF_ENTRY_H
#define PLF_ENTRY_H

/*
 * One event, in one word: 48 bits of nanoseconds (three days), 8 of its kind, 8 of its object (a
 * task, a resource or a server). The kernel's events and the notes of tasks have this form.
 */
#include <stdint.h>

/* The notes of a task; the kernel's events are in trace.h. */
enum plf_note_kind {
	PLF_NOTE_REQUEST, /* it asks for the resource */
	PLF_NOTE_GRANT,	  /* it holds the resource */
	PLF_NOTE_UNLOCK,  /* it is about to give the resource back */
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
