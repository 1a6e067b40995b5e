/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_RECORDING_H
#define INTERRUPTS_RECORDING_H

/*
 * The file of a recording: "PLFKREC1", and then chunks without padding. A chunk is a header, and as
 * many bytes as the header says. All numbers are little-endian. After the first write that fails,
 * nothing more is written.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum chunk_kind {
	CHUNK_HEADER_PAGE = 1, /* text of events/header_page */
	CHUNK_FORMAT = 2,      /* text of events/SYSTEM/NAME/format, a chunk for each event */
	CHUNK_PAGE = 3,	       /* a sub-buffer of a CPU, as trace_pipe_raw gives it */
	CHUNK_STATS = 4,       /* text of per_cpu/cpuN/stats, at the end */
	CHUNK_THREADS = 5,     /* text of thread_table.h, at the begin and the end */
	CHUNK_META = 6,	       /* text of lines KEY=VALUE, at the end */
};

struct chunk_header {
	uint32_t kind;
	uint32_t cpu; /* 0 if the chunk is of no CPU */
	uint64_t bytes;
};

/* No page is longer. */
enum { MOST_PAGE_BYTES = 1 << 16 };

struct recording {
	const char *path;
	int file;
	int error;   /* of the first failed write, or 0 */
	size_t used; /* bytes in the room that are not written yet */
	char *room;
};

/* Open the file. False: a message says why. */
__attribute__((warn_unused_result)) bool open_recording(struct recording *recording,
							const char *path);

void put_chunk(struct recording *recording, enum chunk_kind kind, uint32_t cpu, const void *payload,
	       size_t bytes);

/* Room for MOST_PAGE_BYTES of a page. put_page() then puts the first `bytes` of them. */
void *page_room(struct recording *recording);
void put_page(struct recording *recording, uint32_t cpu, size_t bytes);

/* Write the contents of the room. */
void flush_recording(struct recording *recording);

/* Close the file. False: it is incomplete; a message says why. */
__attribute__((warn_unused_result)) bool close_recording(struct recording *recording);

#endif
