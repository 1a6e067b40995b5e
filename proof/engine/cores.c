/* SPDX-License-Identifier: MIT */
#include "cores.h"

/* Extend the stored range by a store of the same instruction. Its stores are adjacent. */
static void note_store(struct cores *cores, int32_t offset, int32_t size)
{
	int32_t end = offset + size;

	if (cores->stored > 0 && cores->stored_from + cores->stored > end)
		end = cores->stored_from + cores->stored;
	if (cores->stored == 0 || offset < cores->stored_from)
		cores->stored_from = offset;
	cores->stored = end - cores->stored_from;
}

void cores_touch(struct cores *cores, int32_t core, int32_t offset, int32_t size, bool is_store)
{
	int32_t common = 0;

	cores->has_touched = true;
	for (int32_t i = offset; i < offset + size; i++) {
		cores->by[i] |= (uint8_t)(1U << (core + (is_store ? MAX_CORES : 0)));
		common += cores->is_common[i];
	}
	if (common == 0)
		return;
	/* All bytes of an access become common if any of them is. */
	for (int32_t i = offset; common < size && i < offset + size; i++)
		cores->by[i] = UINT8_MAX;
	cores->has_met = true;
	if (is_store)
		note_store(cores, offset, size);
}
