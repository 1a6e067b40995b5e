/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_CONVERT_H
#define PLF_PTHREAD_CONVERT_H

#include <pthread.h>

/*
 * A mutex of the C library, which no thread uses, gets that ceiling, or inheritance: as ceilings.h
 * has it.
 */
void plf_convert(pthread_mutex_t *mutex, int choice);

#endif
