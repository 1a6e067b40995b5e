/* SPDX-License-Identifier: MIT */
#ifndef PLF_INTERPOSE_H
#define PLF_INTERPOSE_H

/*
 * PLF_WAIT3(ssize_t, read, int, void *, size_t);
 *
 * stands before libc's read(). A thread that calls read() inside a section commits that first, and
 * goes through the wake hook when read() returns. A thread that is cancelled there unwinds through
 * the wrapper, so it goes through the hook before its caller's cleanup handlers. The header that
 * declares the function checks the types.
 */
#ifdef _FORTIFY_SOURCE
#undef _FORTIFY_SOURCE /* it would make some of these functions inline */
#endif

#include "../libc.h"
#include "../wait.h"

static inline void plf_woken(const char *function)
{
	(void)function;
	plf_after_wait();
}

/* A statement: from here to the end of the function the caller may sleep. */
#define PLF_SLEEPS                                                                                 \
	plf_before_wait();                                                                         \
	__attribute__((cleanup(plf_woken), unused)) const char plf_asleep = 0

#define PLF_WAIT(result, name, parameters, arguments)                                              \
	PLF_EXPORT result name parameters                                                          \
	{                                                                                          \
		PLF_SLEEPS;                                                                        \
		return PLF_LIBC(name) arguments;                                                   \
	}                                                                                          \
	extern result name parameters /* for the semicolon */

#define PLF_WAIT0(result, name)		 PLF_WAIT(result, name, (void), ())
#define PLF_WAIT1(result, name, A)	 PLF_WAIT(result, name, (A a), (a))
#define PLF_WAIT2(result, name, A, B)	 PLF_WAIT(result, name, (A a, B b), (a, b))
#define PLF_WAIT3(result, name, A, B, C) PLF_WAIT(result, name, (A a, B b, C c), (a, b, c))
#define PLF_WAIT4(result, name, A, B, C, D)                                                        \
	PLF_WAIT(result, name, (A a, B b, C c, D d), (a, b, c, d))
#define PLF_WAIT5(result, name, A, B, C, D, E)                                                     \
	PLF_WAIT(result, name, (A a, B b, C c, D d, E e), (a, b, c, d, e))
#define PLF_WAIT6(result, name, A, B, C, D, E, F)                                                  \
	PLF_WAIT(result, name, (A a, B b, C c, D d, E e, F f), (a, b, c, d, e, f))
#define PLF_WAIT7(result, name, A, B, C, D, E, F, G)                                               \
	PLF_WAIT(result, name, (A a, B b, C c, D d, E e, F f, G g), (a, b, c, d, e, f, g))

/*
 * The argument behind the last named parameter, if the caller passed it, of any type. libc takes it
 * in the same way.
 */
#define PLF_OPTIONAL_ARGUMENT(last)                                                                \
	({                                                                                         \
		va_list plf_list;                                                                  \
		void *plf_argument;                                                                \
		va_start(plf_list, last);                                                          \
		plf_argument = va_arg(plf_list, void *);                                           \
		va_end(plf_list);                                                                  \
		plf_argument;                                                                      \
	})

#endif
