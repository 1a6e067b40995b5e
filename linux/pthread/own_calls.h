/* SPDX-License-Identifier: MIT */
#ifndef PLF_OWN_CALLS_H
#define PLF_OWN_CALLS_H

/*
 * Functions of the C library that the drop-in calls for its own purposes. By the loader's order
 * such a call could reach another library's function, for example a sanitizer's interceptor. An
 * interceptor must not be called in a thread that its runtime does not know yet, or knows no
 * longer. So each name is a hidden function of ours that jumps to the C library's own.
 *
 * The address is found before main() runs, or at the first call if that is earlier. Only
 * cond_state.c calls pthread_cond_init() as the program does, because it looks at the words that
 * this call leaves.
 */
#define PLF_OWN_CALLS(CALL)                                                                        \
	CALL(__ctype_b_loc)                                                                        \
	CALL(__cxa_at_quick_exit)                                                                  \
	CALL(__pthread_mutex_lock)                                                                 \
	CALL(__pthread_mutex_unlock)                                                               \
	CALL(__register_atfork)                                                                    \
	CALL(__sched_cpucount)                                                                     \
	CALL(abort)                                                                                \
	CALL(clock_gettime)                                                                        \
	CALL(close)                                                                                \
	CALL(dlclose)                                                                              \
	CALL(dlinfo)                                                                               \
	CALL(free)                                                                                 \
	CALL(fstat)                                                                                \
	CALL(ftruncate)                                                                            \
	CALL(getauxval)                                                                            \
	CALL(getcwd)                                                                               \
	CALL(getenv)                                                                               \
	CALL(getpid)                                                                               \
	CALL(getppid)                                                                              \
	CALL(getrlimit)                                                                            \
	CALL(getrusage)                                                                            \
	CALL(gettid)                                                                               \
	CALL(malloc)                                                                               \
	CALL(memcpy)                                                                               \
	CALL(memmove)                                                                              \
	CALL(memset)                                                                               \
	CALL(mmap)                                                                                 \
	CALL(mprotect)                                                                             \
	CALL(munmap)                                                                               \
	CALL(open)                                                                                 \
	CALL(process_vm_readv)                                                                     \
	CALL(pthread_attr_getinheritsched)                                                         \
	CALL(pthread_attr_getstack)                                                                \
	CALL(pthread_attr_setstacksize)                                                            \
	CALL(pthread_getcpuclockid)                                                                \
	CALL(pthread_key_create)                                                                   \
	CALL(pthread_mutexattr_getprioceiling)                                                     \
	CALL(pthread_mutexattr_getprotocol)                                                        \
	CALL(pthread_mutexattr_getpshared)                                                         \
	CALL(pthread_mutexattr_getrobust)                                                          \
	CALL(pthread_mutexattr_gettype)                                                            \
	CALL(pthread_once)                                                                         \
	CALL(pthread_self)                                                                         \
	CALL(pthread_setcanceltype)                                                                \
	CALL(pthread_setspecific)                                                                  \
	CALL(pthread_sigmask)                                                                      \
	CALL(readlink)                                                                             \
	CALL(sched_get_priority_max)                                                               \
	CALL(sched_get_priority_min)                                                               \
	CALL(sched_getaffinity)                                                                    \
	CALL(sigaddset)                                                                            \
	CALL(sigdelset)                                                                            \
	CALL(sigemptyset)                                                                          \
	CALL(sigfillset)                                                                           \
	CALL(sigismember)                                                                          \
	CALL(sigpending)                                                                           \
	CALL(snprintf)                                                                             \
	CALL(stat)                                                                                 \
	CALL(strchr)                                                                               \
	CALL(strcmp)                                                                               \
	CALL(strcpy)                                                                               \
	CALL(strerrordesc_np)                                                                      \
	CALL(strlen)                                                                               \
	CALL(strncmp)                                                                              \
	CALL(strnlen)                                                                              \
	CALL(strrchr)                                                                              \
	CALL(strstr)                                                                               \
	CALL(strtoull)                                                                             \
	CALL(sysconf)                                                                              \
	CALL(tgkill)                                                                               \
	CALL(unlink)                                                                               \
	CALL(vsnprintf)

void plf_own_calls_find(void);

#endif
