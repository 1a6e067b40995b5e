/* SPDX-License-Identifier: MIT */
#include "registry.h"

static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static enum plf_backend backend_in_use;
static uint32_t attached;

const char *const plf_backend_names[PLF_BACKENDS] = { "none", "user", "syscall", "module" };

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

enum plf_backend plf_backend_in_use(void)
{
	return __atomic_load_n(&attached, __ATOMIC_RELAXED) > 0 ? backend_in_use : PLF_NONE;
}

bool plf_registry_admits(enum plf_backend backend)
{
	enum plf_backend others = plf_backend_in_use();

	return others == PLF_NONE || others == backend;
}

void plf_registry_join(enum plf_backend backend)
{
	backend_in_use = backend;
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
