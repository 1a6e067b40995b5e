/* SPDX-License-Identifier: MIT */
/*
 * The costs of calls in instructions, which are ticks of the board's clock. Five instructions load
 * the arguments. A refused call is a service with permissions and ErrorHook.
 */
#include "check.h"
#include "plf_clock.h"

uint64_t FUNCTION_EMPTY(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	(void)b, (void)c, (void)d;
	return a;
}

uint64_t FUNCTION_TWICE(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	return plf_call_function(EMPTY, a, b, c, d).value;
}

uint64_t FUNCTION_HIDDEN(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	return a + b + c + d;
}

uint64_t FUNCTION_FAULT(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	(void)a, (void)b, (void)c, (void)d;
	__asm__ volatile("str xzr, [x0]" ::: "memory");
	return 0;
}

#define COST(call)                                                                                 \
	({                                                                                         \
		uint64_t before = plf_user_now_ns();                                               \
                                                                                                   \
		(void)(call);                                                                      \
		plf_user_now_ns() - before - 1;                                                    \
	})

TASK(MAIN)
{
	CHECK(COST(plf_call_function(EMPTY, 1, 2, 3, 4)) <= 96);
	CHECK(COST(plf_call_function(TWICE, 1, 2, 3, 4)) <= 200);
	CHECK(COST(plf_call_function(HIDDEN, 1, 2, 3, 4)) <= 130);
	CHECK(COST(plf_call_function(FAULT, 1, 2, 3, 4)) <= 200);
	ShutdownOS(E_OK);
}
