/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_CONVERT_H
#define PLF_PTHREAD_CONVERT_H

#include <pthread.h>

/*
 * Give a mutex of the C library the learned CHOICE of ceilings.h: a ceiling, or PLF_TO_INHERIT. No
 * thread may be using the mutex.
 */
void plf_convert(pthread_mutex_t *mutex, int choice);

#endif
