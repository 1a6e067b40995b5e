/* SPDX-License-Identifier: MIT */
/*
 * A library that is loaded so that its calls bypass LD_PRELOAD. Its constructor locks the program's
 * mutex `program_mutex`, if there is one.
 */
#include "plug_in.h"

extern pthread_mutex_t *program_mutex __attribute__((weak));
static int result = -1;

__attribute__((constructor)) static void lock_early(void)
{
	if (&program_mutex == NULL || program_mutex == NULL)
		return;
	result = pthread_mutex_lock(program_mutex);
	if (result == 0)
		result = pthread_mutex_unlock(program_mutex);
}

static int early(void)
{
	return result;
}

const struct plug_in plug_in = {
	.lock = pthread_mutex_lock,
	.trylock = pthread_mutex_trylock,
	.unlock = pthread_mutex_unlock,
	.wait = pthread_cond_wait,
	.signal = pthread_cond_signal,
	.early = early,
};
