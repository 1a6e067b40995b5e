/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * A program can name a mutex, which is then recognised by its name if nothing else distinguishes
 * it. The program finds this function by dlsym() or a weak symbol, because without the drop-in
 * nothing has to be named.
 */
#include "ceilings.h"
#include "convert.h"
#include "learn.h"
#include "libc.h"
#include "process.h"
#include "protect.h"
#include "settings.h"

#include <errno.h>
#include <string.h>

/*
 * Call this before the mutex is used. Returns 0; EINVAL: the name does not have 1 to 31 characters;
 * EBUSY: a thread has the mutex.
 */
PLF_EXPORT int plf_pthread_mutex_setname(pthread_mutex_t *mutex, const char *name);

/* A plain mutex becomes evidence only when a real-time thread locks it. */
static void learn(pthread_mutex_t *mutex, const char *name)
{
	struct plf_plain made = { .call_site = NULL };

	if (plf_is_ours(mutex)) {
		plf_learn_named(plf_protect_of(mutex)->evidence, name);
		return;
	}
	plf_plain_find(mutex, &made);
	strcpy(made.name, name);
	plf_plain_made(mutex, &made);
}

/* A ceiling of the program's own, or by another rule, stays. */
static void choose(pthread_mutex_t *mutex, int choice)
{
	enum { OF_ITS_OWN = PLF_KIND_OURS | PLF_KIND_PROTECT, PSHARED = 0x80 };
	int kind = mutex->__data.__kind;

	if (choice == 0 || (kind & (OF_ITS_OWN | PSHARED)) != 0 ||
	    (choice == PLF_TO_INHERIT && (kind & PLF_KIND_INHERIT) != 0))
		return;
	plf_convert(mutex, choice);
}

int plf_pthread_mutex_setname(pthread_mutex_t *mutex, const char *name)
{
	size_t length = strnlen(name, PLF_MUTEX_NAME);

	plf_process_begin();
	if (length == 0 || length == PLF_MUTEX_NAME || plf_is_destroyed(plf_protect_of(mutex)))
		return EINVAL;
	if (mutex->__data.__lock != 0)
		return EBUSY;
	if (plf_learning)
		learn(mutex, name);
	if (plf_mode != PLF_MODE_OFF)
		choose(mutex, plf_ceiling_for_name(name));
	return 0;
}
