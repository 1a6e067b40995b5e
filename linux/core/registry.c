/* SPDX-License-Identifier: MIT */
#include "registry.h"

#include <signal.h>

static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static sigset_t of_holder; /* signal mask of the holder before it locked */
static const struct plf_keeper *in_use;
static uint32_t attached;

/*
 * Block all signals except those of an instruction's own fault, because no mask holds these back.
 */
static void block_signals(sigset_t *before)
{
	static const int of_faults[] = { SIGTRAP, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS };
	sigset_t signals;

	sigfillset(&signals);
	for (size_t i = 0; i < sizeof(of_faults) / sizeof(of_faults[0]); i++)
		sigdelset(&signals, of_faults[i]);
	pthread_sigmask(SIG_BLOCK, &signals, before);
}

void plf_registry_lock(void)
{
	sigset_t before;

	block_signals(&before);
	pthread_mutex_lock(&registry);
	of_holder = before;
}

bool plf_registry_try(void)
{
	sigset_t before;

	block_signals(&before);
	if (pthread_mutex_trylock(&registry) == 0) {
		of_holder = before;
		return true;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return false;
}

void plf_registry_unlock(void)
{
	sigset_t before = of_holder;

	pthread_mutex_unlock(&registry);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void plf_registry_renew(bool had_lock)
{
	sigset_t before = of_holder;

	registry = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	if (had_lock)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool plf_registry_is(const pthread_mutex_t *mutex)
{
	return mutex == &registry;
}

const struct plf_keeper *plf_keeper_in_use(void)
{
	return __atomic_load_n(&attached, __ATOMIC_RELAXED) > 0 ? in_use : NULL;
}

bool plf_registry_admits(const struct plf_keeper *keeper)
{
	const struct plf_keeper *others = plf_keeper_in_use();

	return others == NULL || others == keeper;
}

void plf_registry_join(const struct plf_keeper *keeper)
{
	in_use = keeper;
	__atomic_fetch_add(&attached, 1, __ATOMIC_RELAXED);
}

void plf_registry_leave(void)
{
	__atomic_fetch_sub(&attached, 1, __ATOMIC_RELAXED);
}

void plf_registry_after_fork(bool is_attached)
{
	attached = is_attached;
}
