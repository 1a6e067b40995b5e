/* SPDX-License-Identifier: MIT */
#ifndef PLUG_IN_H
#define PLUG_IN_H

#include <pthread.h>
#include <stddef.h>

/* The calls as a library finds them. The library exports this as `plug_in`. */
struct plug_in {
	int (*lock)(pthread_mutex_t *mutex);
	int (*trylock)(pthread_mutex_t *mutex);
	int (*unlock)(pthread_mutex_t *mutex);
	int (*wait)(pthread_cond_t *cond, pthread_mutex_t *mutex);
	int (*signal)(pthread_cond_t *cond);
	int (*early)(void); /* result of its constructor; -1: it found no mutex */
};

#endif
