/* SPDX-License-Identifier: MIT */
#include "plf_ready.h"

static bool is_before(const struct plf_entry *one, const struct plf_entry *other)
{
	if (one->deadline == other->deadline)
		return one->order < other->order;
	return plf_is_earlier(one->deadline, other->deadline);
}

void plf_heap_add(struct plf_queue *queue, struct plf_task *task, uint64_t deadline)
{
	struct plf_entry entry = { .deadline = deadline, .order = queue->order++, .task = task };
	struct plf_entry *entries = queue->entries;
	uint32_t place = queue->count++;

	for (uint32_t parent; place > 0; place = parent) {
		parent = (place - 1) / 2;
		if (!is_before(&entry, &entries[parent]))
			break;
		entries[place] = entries[parent];
	}
	entries[place] = entry;
}

struct plf_entry plf_heap_take(struct plf_queue *queue)
{
	struct plf_entry *entries = queue->entries;
	struct plf_entry first = entries[0];
	struct plf_entry last = entries[--queue->count];
	uint32_t place = 0;

	for (uint32_t child; (child = 2 * place + 1) < queue->count; place = child) {
		if (child + 1 < queue->count && is_before(&entries[child + 1], &entries[child]))
			child++;
		if (!is_before(&entries[child], &last))
			break;
		entries[place] = entries[child];
	}
	entries[place] = last;
	return first;
}
