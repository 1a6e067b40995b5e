/* SPDX-License-Identifier: MIT */
#include "registry.h"

static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static const struct plf_keeper *in_use;
static uint32_t attached;

void plf_registry_lock(void)
{
	pthread_mutex_lock(&registry);
}

void plf_registry_unlock(void)
{
	pthread_mutex_unlock(&registry);
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
