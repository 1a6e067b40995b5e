/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_PLAIN_H
#define PLF_PTHREAD_PLAIN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The calls that initialised plain mutexes, or first locked a std::mutex, kept while learning. A
 * plain mutex becomes evidence only when a real-time thread locks it, and most never do. The table
 * is bounded: if two addresses fall on one slot, the older mutex is forgotten. Nothing here locks.
 */
enum { PLF_PLAIN_MADE = 4096, PLF_MUTEX_NAME = 32 };

struct plf_plain {
	const void *call_site; /* as for plf_site_order() */
	uint32_t order;
	uint64_t path;		   /* 0: not known */
	uint32_t nth;		   /* the order among the mutexes of that path */
	char name[PLF_MUTEX_NAME]; /* from the program; "": none */
};

void plf_plain_made(const pthread_mutex_t *mutex, const struct plf_plain *made);

/* The mutex was destroyed: another mutex may get its memory. */
void plf_plain_gone(const pthread_mutex_t *mutex);

/* False: not known, because no call has made or locked it, or because it was forgotten. */
bool plf_plain_find(const pthread_mutex_t *mutex, struct plf_plain *made);

#endif
