/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_PLAIN_H
#define PLF_PTHREAD_PLAIN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Where plain mutexes were initialised, while learning: one becomes evidence only when a real-time
 * thread locks it, and most never do. Bounded: one of two whose addresses fall together is
 * forgotten. Nothing here locks.
 */
enum { PLF_PLAIN_MADE = 4096, PLF_MUTEX_NAME = 32 };

struct plf_plain {
	const void *call_site; /* as plf_site_order() has it */
	uint32_t order;
	uint64_t path;		   /* 0: not known */
	uint32_t nth;		   /* the order among those of that path */
	char name[PLF_MUTEX_NAME]; /* that the program gave it; "": none */
};

void plf_plain_made(const pthread_mutex_t *mutex, const struct plf_plain *made);

/* It was destroyed: another one may have its memory. */
void plf_plain_gone(const pthread_mutex_t *mutex);

/* False: not known; it was made by no call, as a std::mutex is, or is forgotten. */
bool plf_plain_find(const pthread_mutex_t *mutex, struct plf_plain *made);

#endif
