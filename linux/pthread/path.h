/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_PATH_H
#define PLF_PTHREAD_PATH_H

/*
 * The path to a call: one number of the return addresses of the innermost calls around it, as
 * site.h has them, and of the calls that created its thread. So of two mutexes that one helper
 * makes each has its own, if the helper was called in two places, or by threads that were created
 * in two places or with two arguments; and no order of these matters. Calls within the C library
 * and in here are left out.
 *
 * Nothing here locks or allocates: the unwinder of GCC 12 and later finds its tables without both.
 */
#include <stdbool.h>
#include <stdint.h>

/* Some mutexes are recognised by paths: threads are followed from their creation on. */
extern bool plf_paths_matter __attribute__((visibility("hidden")));

/*
 * Of the caller's caller, which passes that argument: the mutex that it makes, or the argument of
 * the thread that it creates. A number is part of the path, and a variable of the program or of one
 * of the calls around; another address is not, for it is not the same in another run. Never 0; 0
 * while paths do not matter.
 */
uint64_t plf_path_with(const void *argument);

/* In a new thread: that path. */
void plf_path_of_thread(uint64_t path);

#endif
