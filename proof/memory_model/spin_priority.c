/* SPDX-License-Identifier: MIT */
#include <stdint.h>

/* herd7 has no CLZ. The lock is handed over when the first user alone spins, so 63 suffices, and
 * the written value depends on fewer loads. */
#define __builtin_clzll(spinners) ((void)(spinners), 63)

#include "spin_priority.h"

#include "spinlock.h"

/* Joins behind the first user, which is inside. */
int joins_behind(uint64_t *word)
{
	uint64_t seen = plf_spin_mark(0);

	return joins_without_order(word, seen, seen | plf_spin_mark(2) << PLF_SPINNERS);
}
