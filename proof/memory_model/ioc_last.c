/* SPDX-License-Identifier: MIT */
/*
 * The threads of the litmus tests: a sender and a receiver of a last value, by protocol/ioc_last.h.
 * A value is a number, which the receiver reads twice. The value is torn if its sender stores it in
 * between. The rules are about the values that threads return: the number, or TORN.
 */
#include <stdint.h>

#include "ioc_last.h"

enum { TORN = 9 };

static inline int get(const volatile uint32_t *slot)
{
	uint32_t number = *slot;

	return *slot == number ? (int)number : TORN;
}

int writes(struct plf_ioc_last *last, volatile uint32_t *slots)
{
	uint32_t place = plf_ioc_last_claim(last);

	slots[place] = 1;
	plf_ioc_last_publish(last, place);
	return 0;
}

/* Writes two values. The second may come into the first slot. Returns the place of the second. */
int writes_twice(struct plf_ioc_last *last, volatile uint32_t *slots)
{
	uint32_t place;

	plf_ioc_last_publish(last, plf_ioc_last_claim(last));
	place = plf_ioc_last_claim(last);
	if (place == 0)
		slots[0] = 2;
	return (int)place;
}

int reads(struct plf_ioc_last *last, volatile uint32_t *slots)
{
	return get(&slots[plf_ioc_last_find(last)]);
}

/* Ends a read of the first slot, and begins the next read. */
int reads_and_announces(struct plf_ioc_last *last, volatile uint32_t *slots)
{
	int number = get(&slots[0]);

	(void)plf_ioc_last_find(last);
	return number;
}
