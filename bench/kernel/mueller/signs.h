/* SPDX-License-Identifier: MIT */
#ifndef BENCH_SIGNS_H
#define BENCH_SIGNS_H

/* Signs between BENCH, on the first core, and the tasks of the second core. */
#include <stdbool.h>

struct signs {
	bool is_there;	 /* a task of the second core waits for `go` */
	bool go;	 /* BENCH is inside the measured procedure, or has left it */
	bool has_acted;	 /* the task of the second core has acted */
	bool last_began; /* LAST began, which that task activated */
};
extern struct signs signs;

static inline bool is_shown(const bool *sign)
{
	return __atomic_load_n(sign, __ATOMIC_ACQUIRE);
}

static inline void show(bool *sign)
{
	__atomic_store_n(sign, true, __ATOMIC_RELEASE);
}

#endif
