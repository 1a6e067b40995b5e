/* SPDX-License-Identifier: MIT */
#ifndef PLF_ENTRY_H
#define PLF_ENTRY_H

/*
 * One thing that happened, in one word: 48 bits of nanoseconds (three days), 8 of what, 8 of
 * whom. The kernel's events and the notes of tasks are alike in this.
 */
#include <stdint.h>

/* What a task notes; what the kernel does is in trace.h. */
enum plf_note_kind {
	PLF_NOTE_REQUEST, /* it asks for the resource */
	PLF_NOTE_GRANT,	  /* it holds the resource */
	PLF_NOTE_UNLOCK,  /* it is about to give the resource back */
};

static inline uint64_t plf_entry(uint64_t time_ns, unsigned kind, unsigned whom)
{
	return time_ns << 16 | (uint64_t)kind << 8 | whom;
}

static inline uint64_t plf_entry_time_ns(uint64_t entry)
{
	return entry >> 16;
}

static inline unsigned plf_entry_kind(uint64_t entry)
{
	return entry >> 8 & 0xff;
}

static inline unsigned plf_entry_whom(uint64_t entry)
{
	return entry & 0xff;
}

#endif
