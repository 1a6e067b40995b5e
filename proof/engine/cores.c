/* SPDX-License-Identifier: MIT */
#include "cores.h"

void cores_touch(struct cores *cores, int32_t core, int32_t offset, int32_t size, bool is_store)
{
	bool is_common = false;

	for (int32_t i = offset; i < offset + size; i++) {
		cores->by[i] |= (uint8_t)(1U << (core + (is_store ? MAX_CORES : 0)));
		is_common |= cores->is_common[i];
	}
	if (!is_common)
		return;
	cores->has_met = true;
	if (is_store) {
		cores->stored_from = offset;
		cores->stored = size;
	}
}
