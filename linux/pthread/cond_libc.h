/* SPDX-License-Identifier: MIT */
#ifndef PLF_COND_LIBC_H
#define PLF_COND_LIBC_H

/*
 * The C library's own condition variable functions. On x86-64 it has two of each name:
 * GLIBC_2.2.5 for programs from before 2003, to which a pthread_cond_t was one pointer, and
 * GLIBC_2.3.2. Before glibc 2.36 dlsym(RTLD_NEXT) returns the older one, so the version is asked
 * for. They are found before main() runs, as those of libc.h: a look-up takes the lock
 * of the dynamic linker, whose holder may be waiting for this very call.
 */
#include "libc.h"

struct plf_cond_function {
	struct plf_libc_function function;
	const char *version; /* or the only one */
};

void *plf_cond_libc_find(struct plf_cond_function *wanted);

/* Find all. */
void plf_cond_libc_find_all(void);

static inline void *plf_cond_libc_address(struct plf_cond_function *wanted)
{
	void *address = __atomic_load_n(&wanted->function.address, __ATOMIC_RELAXED);

	return __builtin_expect(address != NULL, 1) ? address : plf_cond_libc_find(wanted);
}

/* Aligned as an element of an array: the section is one. */
#define PLF_COND_LIBC_VERSION(name, version)                                                       \
	({                                                                                         \
		static struct plf_cond_function plf_used __attribute__((                           \
			section("plf_cond_libc"), used,                                            \
			aligned(__alignof__(struct plf_cond_function)))) = { { #name, NULL },      \
									     version };            \
		(__typeof__(&(name)))plf_cond_libc_address(&plf_used);                             \
	})
#define PLF_COND_LIBC(name) PLF_COND_LIBC_VERSION(name, "GLIBC_2.3.2")

#endif
