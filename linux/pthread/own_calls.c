/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "own_calls.h"

#include "libraries.h"
#include "own_call.h" /* of this processor */

/* An entry in the section plf_own. The jumps of own_call.h have it there. */
struct own_call {
	const char *name;
	void *address; /* the C library's; before that, code that finds it */
};

extern struct own_call __start_plf_own[], __stop_plf_own[];

/* Called by the code of own_call.h: find the function, and return its address. */
void *plf_own_call_find(struct own_call *call);

PLF_DEFINE_OWN_CALL_FIRST
PLF_OWN_CALLS(PLF_DEFINE_OWN_CALL)

void *plf_own_call_find(struct own_call *call)
{
	void *address = plf_libc_function(call->name);

	__atomic_store_n(&call->address, address, __ATOMIC_RELAXED);
	return address;
}

void plf_own_calls_find(void)
{
	for (struct own_call *call = __start_plf_own; call < __stop_plf_own; call++)
		plf_own_call_find(call);
}
