/* SPDX-License-Identifier: MIT */
/*
 * Uses all of plafond.h, in the common subset of C and C++. Compiled with every warning, never run.
 */
#include <plafond/plafond.h>

#include <plafond.h> /* the usual spelling; a file may include both */

#if PLF_VERSION_MAJOR != 0 || PLF_VERSION_MINOR < 1 || PLF_VERSION_PATCH < 0
#error "the version is not that of the library"
#endif

int use_everything(void);
int ceiling_of_a_variable(int ceiling);

static plf_mutex_t mutex = PLF_MUTEX_INITIALIZER(40);
static plf_cond_t cond = PLF_COND_INITIALIZER;

int ceiling_of_a_variable(int ceiling)
{
	plf_mutex_t local = PLF_MUTEX_INITIALIZER(ceiling);

	return plf_mutex_getceiling(&local, &ceiling);
}

int use_everything(void)
{
	struct plf_stats stats;
	struct plf_periodic periodic;
	plf_sem_t sem;
	uint32_t spin_ns;
	int old;
	int sum = plf_attach(10, PLF_CPU_PINNED, PLF_STRICT | PLF_BACKEND_USER);

	sum += plf_mutex_init(&mutex, 40) + plf_mutex_lock(&mutex) + plf_mutex_trylock(&mutex);
	sum += plf_cond_wait(&cond, &mutex) + plf_cond_timedwait(&cond, &mutex, plf_now());
	sum += plf_cond_signal(&cond) + plf_cond_broadcast(&cond) + plf_mutex_consistent(&mutex);
	sum += plf_mutex_unlock(&mutex) + plf_mutex_getceiling(&mutex, &old);
	sum += plf_mutex_setceiling(&mutex, 50, &old) + plf_mutex_destroy(&mutex);
	sum += plf_wake_hook() + plf_sleep_until(1) + plf_periodic_init(&periodic, 1, 1);
	sum += plf_periodic_wait(&periodic) + plf_get_stats(&stats);
	sum += plf_sem_init(&sem, 0) + plf_sem_post(&sem) + plf_sem_wait(&sem);
	sum += plf_sem_trywait(&sem) + plf_sem_timedwait(&sem, 1) + plf_sem_destroy(&sem);
	plf_mutex_init_global(&mutex);
	sum += plf_mutex_setspin(&mutex, PLF_SPIN_MAX_NS) + plf_mutex_getspin(&mutex, &spin_ns);
	plf_cond_init(&cond);
	sum += plf_cond_destroy(&cond) + plf_detach();
	return sum + (plf_backend()[0] == 'n') + (plf_strerror(sum)[0] == 'n');
}
