/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_PATH_H
#define PLF_PTHREAD_PATH_H

/*
 * The path to a call: a hash of the return addresses of the innermost calls around it (see site.h),
 * and of the calls that created its thread. A helper may make two mutexes for callers in two
 * places, or in threads that were created in two places or with two arguments. Then the mutexes
 * have different paths, in whatever order they are made. Calls within the C library and the drop-in
 * are left out.
 *
 * Nothing here locks or allocates, because the unwinder of GCC 12 and later finds its tables
 * without either.
 */
#include <stdbool.h>
#include <stdint.h>

/* Some mutexes are recognised by paths, so threads are followed from their creation on. */
extern bool plf_paths_matter __attribute__((visibility("hidden")));

/*
 * The path of the caller's caller, which passes that argument: the mutex that it makes, or the
 * argument of the thread that it creates. The argument is part of the path if it is a small number,
 * or a variable of the program or of a call around. Any other address is left out, because it
 * differs in another run. Returns 0 only while paths do not matter.
 */
uint64_t plf_path_with(const void *argument);

/* In a new thread: the path of its creation. */
void plf_path_of_thread(uint64_t path);

#endif
