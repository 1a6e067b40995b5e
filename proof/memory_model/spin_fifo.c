/* SPDX-License-Identifier: MIT */
#include <stdint.h>

/* herd7 has no CLZ. A user joins behind a single user, so 63 suffices, and the written value
 * depends on fewer loads.
 */
#define __builtin_clzll(list) ((void)(list), 63)

#include "spin_fifo.h"

#include "spinlock.h"

/* Joins behind the first user, which is inside. */
int joins_behind(uint64_t *word)
{
	uint64_t seen = plf_spin_mark(0);
	uint64_t joined = plf_fifo_append(seen, plf_spin_mark(2));

	return joins_without_order(word, seen, joined);
}
