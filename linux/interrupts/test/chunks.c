/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "chunks.h"

#include "program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * Documentation/trace/ring-buffer-map.rst and include/linux/ring_buffer.h of the kernel: a page
 * begins with its time, and with the number of used bytes. The upper bits of this number are flags.
 */
enum { PAGE_HEAD_BYTES = 16, USED_MASK = 0xfffff, MISSED = 1 << 30 };
enum { TYPE_BITS = 5, LONG_EVENT = 0, PADDING = 29, TIME_EXTEND = 30, TIME_STAMP = 31 };

static uint32_t u32_at(const char *bytes)
{
	uint32_t number;

	memcpy(&number, bytes, sizeof(number));
	return number;
}

static uint64_t u64_at(const char *bytes)
{
	uint64_t number;

	memcpy(&number, bytes, sizeof(number));
	return number;
}

static void read_chunk(FILE *file, struct chunk *chunk)
{
	char header[16];

	assert_int_equal(fread(header, 1, sizeof(header), file), sizeof(header));
	*chunk = (struct chunk) { u32_at(header), u32_at(header + 4), u64_at(header + 8), NULL };
	assert_true(chunk->kind >= HEADER_PAGE && chunk->kind < KINDS);
	assert_true(chunk->bytes < 1 << 24);
	chunk->payload = calloc(chunk->bytes + 1, 1);
	assert_int_equal(fread(chunk->payload, 1, chunk->bytes, file), chunk->bytes);
}

struct chunks read_chunks(const char *path)
{
	struct chunks chunks = { 0 };
	FILE *file = fopen(path, "re");
	char magic[8];
	struct stat status;

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &status), 0);
	assert_int_equal(fread(magic, 1, sizeof(magic), file), sizeof(magic));
	assert_memory_equal(magic, "PLFKREC1", sizeof(magic));
	while (ftell(file) < status.st_size) {
		chunks.each = realloc(chunks.each, (chunks.count + 1) * sizeof(*chunks.each));
		read_chunk(file, &chunks.each[chunks.count++]);
	}
	fclose(file);
	return chunks;
}

void free_chunks(struct chunks *chunks)
{
	for (size_t i = 0; i < chunks->count; i++)
		free(chunks->each[i].payload);
	free(chunks->each);
}

size_t count_kind(const struct chunks *chunks, uint32_t kind)
{
	size_t count = 0;

	for (size_t i = 0; i < chunks->count; i++)
		count += chunks->each[i].kind == kind;
	return count;
}

static bool find_number(const struct chunk *chunk, const char *key, int64_t *number)
{
	const char *found = strstr(chunk->payload, key);

	return found != NULL && sscanf(found + strlen(key), "%" SCNd64, number) == 1;
}

int64_t number_in(const struct chunks *chunks, uint32_t kind, const char *key)
{
	int64_t number;

	for (size_t i = 0; i < chunks->count; i++)
		if (chunks->each[i].kind == kind && find_number(&chunks->each[i], key, &number))
			return number;
	fail_msg("no %s", key);
	return 0;
}

int64_t sum_in(const struct chunks *chunks, uint32_t kind, const char *key)
{
	int64_t number, sum = 0;

	for (size_t i = 0; i < chunks->count; i++)
		if (chunks->each[i].kind == kind) {
			assert_true(find_number(&chunks->each[i], key, &number));
			sum += number;
		}
	return sum;
}

bool is_text_in(const struct chunks *chunks, uint32_t kind, const char *text)
{
	for (size_t i = 0; i < chunks->count; i++)
		if (chunks->each[i].kind == kind && strstr(chunks->each[i].payload, text) != NULL)
			return true;
	return false;
}

/* A field of an event: the event's number, and the field's offset in the event's format. */
struct field {
	int event;
	int offset;
};

static struct field find_field(const struct chunks *chunks, const char *event, const char *field)
{
	char name[64], place[64];
	int64_t number, offset;

	snprintf(name, sizeof(name), "name: %s\n", event);
	snprintf(place, sizeof(place), " %s;\toffset:", field);
	for (size_t i = 0; i < chunks->count; i++) {
		const struct chunk *chunk = &chunks->each[i];

		if (chunk->kind == FORMAT && strstr(chunk->payload, name) != NULL &&
		    find_number(chunk, "ID: ", &number) && find_number(chunk, place, &offset))
			return (struct field) { (int)number, (int)offset };
	}
	fail_msg("no format of %s", event);
	return (struct field) { 0 };
}

struct fields {
	struct field switched, woken, interrupted;
};

static bool is_of(struct field field, const char *event, int value)
{
	return (u32_at(event) & 0xffff) == (uint32_t)field.event &&
	       u32_at(event + field.offset) == (uint32_t)value;
}

static void count_event(const struct fields *fields, const char *event, int tid, int irq,
			struct events *events)
{
	events->all++;
	events->switches += (u32_at(event) & 0xffff) == (uint32_t)fields->switched.event;
	events->switches_from += is_of(fields->switched, event, tid);
	events->wakeups_of += is_of(fields->woken, event, tid);
	events->interrupts_of += is_of(fields->interrupted, event, irq);
}

static void count_page(const struct fields *fields, const struct chunk *page, int tid, int irq,
		       struct events *events)
{
	const char *at = page->payload + PAGE_HEAD_BYTES;
	uint64_t used = u64_at(page->payload + 8);
	const char *end = at + (used & USED_MASK);

	assert_true(end <= page->payload + page->bytes);
	events->pages_after_loss += (used & (1U << 31 | MISSED)) != 0;
	while (at < end) {
		uint32_t type = u32_at(at) & ((1 << TYPE_BITS) - 1);
		bool has_length = type == LONG_EVENT || type == PADDING;

		if (type != PADDING && type < PADDING)
			count_event(fields, at + (type == LONG_EVENT ? 8 : 4), tid, irq, events);
		at += 4;
		if (has_length)
			at += u32_at(at);
		else
			at += type >= TIME_EXTEND ? 4 : 4 * type;
	}
	assert_ptr_equal(at, end);
}

struct events count_events(const struct chunks *chunks, int cpu, int tid, int irq)
{
	const struct fields fields = {
		.switched = find_field(chunks, "sched_switch", "prev_pid"),
		.woken = find_field(chunks, "sched_wakeup", "pid"),
		.interrupted = find_field(chunks, "irq_handler_entry", "irq"),
	};
	struct events events = { .first_ns = UINT64_MAX };

	for (size_t i = 0; i < chunks->count; i++) {
		const struct chunk *chunk = &chunks->each[i];
		uint64_t ns;

		if (chunk->kind != PAGE || (cpu != ALL_CPUS && chunk->cpu != (uint32_t)cpu))
			continue;
		ns = u64_at(chunk->payload);
		if (ns < events.first_ns)
			events.first_ns = ns;
		if (ns > events.last_ns)
			events.last_ns = ns;
		count_page(&fields, chunk, tid, irq, &events);
	}
	return events;
}
