/* SPDX-License-Identifier: MIT */
#ifndef PLF_COND_LIBC_H
#define PLF_COND_LIBC_H

/*
 * The C library's own condition variable functions. On x86-64 each name has two versions:
 * GLIBC_2.2.5 for programs from before 2003, to which a pthread_cond_t was one pointer, and
 * GLIBC_2.3.2. Before glibc 2.36 dlsym(RTLD_NEXT) returns the older version, so this code asks for
 * a version. Like the functions of libc.h they are found before main() runs, because a look-up
 * takes the dynamic linker's lock, and its holder may be waiting for this very call.
 */
#include "libc.h"

struct plf_cond_function {
	struct plf_libc_function function;
	const char *version; /* if the library lacks it, its default version is used */
};

void *plf_cond_libc_find(struct plf_cond_function *wanted);

void plf_cond_libc_find_all(void);

static inline void *plf_cond_libc_address(struct plf_cond_function *wanted)
{
	void *address = __atomic_load_n(&wanted->function.address, __ATOMIC_RELAXED);

	return __builtin_expect(address != NULL, 1) ? address : plf_cond_libc_find(wanted);
}

/* The alignment makes the section plf_cond_libc an array of these entries. */
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
