/* SPDX-License-Identifier: MIT */
#ifndef MODULE_TEST_SECTIONS_H
#define MODULE_TEST_SECTIONS_H

/* The notes of the threads of sections.c, and the oracle that judges them afterwards. */
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 6, RESOURCES = 3, NOTES_MAX = 200000 };

enum note_kind { AWAKE, REQUEST, GRANT, UNLOCK };

struct note {
	int64_t time_ns;
	enum note_kind kind;
	int resource; /* not for AWAKE */
};

/* Notes in the order of time. Each was made while its thread was running. */
struct diary {
	int priority;
	int cpu;
	size_t count;
	struct note note[NOTES_MAX];
};

struct verdict {
	size_t sections;
	size_t overlaps;  /* two threads inside one resource at a time */
	size_t overtaken; /* a thread ran at or below the ceiling of another's section on its CPU */
};

struct verdict judge(const struct diary diaries[THREADS], const int ceilings[RESOURCES]);

#endif
