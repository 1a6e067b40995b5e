/* SPDX-License-Identifier: MIT */
#ifndef PLF_LIBC_H
#define PLF_LIBC_H

/*
 * The C library's functions behind the functions that we interpose. Each use of PLF_LIBC() names
 * its function in the section plf_libc. All of them are found before main() runs, so that a wrapper
 * is as async-signal-safe as the function that it wraps. A wrapper that is called earlier finds its
 * own function.
 */
#include <pthread.h>

#define PLF_EXPORT __attribute__((visibility("default")))

struct plf_libc_function {
	const char *name;
	void *address; /* NULL: not looked for yet */
};

/* Returns the address. If the C library has no such function, the process ends with one line. */
void *plf_libc_find(struct plf_libc_function *function);

/* Find all functions of the section. A missing function stays NULL. */
void plf_libc_find_all(void);

static inline void *plf_libc_address(struct plf_libc_function *function)
{
	void *address = __atomic_load_n(&function->address, __ATOMIC_RELAXED);

	return __builtin_expect(address != NULL, 1) ? address : plf_libc_find(function);
}

#define PLF_LIBC(function)                                                                         \
	({                                                                                         \
		static struct plf_libc_function plf_used                                           \
			__attribute__((section("plf_libc"), used)) = { #function, NULL };          \
		(__typeof__(&(function)))plf_libc_address(&plf_used);                              \
	})

/* The C library's functions for our own mutexes, which no other library must see. */
int __pthread_mutex_lock(pthread_mutex_t *mutex);
int __pthread_mutex_unlock(pthread_mutex_t *mutex);

#endif
