/* SPDX-License-Identifier: MIT */
#ifndef PLF_LIBC_H
#define PLF_LIBC_H

/*
 * The C library's own functions behind those that we interpose. Each use names its
 * function in the section plf_libc, all of which are found before main() runs, so that
 * a wrapper stays as async-signal-safe as the function that it wraps; one that is called before
 * that finds its own.
 */
#include <pthread.h>

#define PLF_EXPORT __attribute__((visibility("default")))

struct plf_libc_function {
	const char *name;
	void *address; /* NULL: not looked for yet */
};

/* The address; the process ends with one line if the C library has no such function. */
void *plf_libc_find(struct plf_libc_function *function);

/* Find all. */
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

/* Of mutexes of ours, which no other library is to see: calls of the C library's own. */
int __pthread_mutex_lock(pthread_mutex_t *mutex);
int __pthread_mutex_unlock(pthread_mutex_t *mutex);

#endif
