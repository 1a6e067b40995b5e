/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Every error of plf_attach() and plf_detach(). A refused call changes nothing. */
#include "team.h"

#include <plafond/slow.h>

#include <dlfcn.h>
#include <grp.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void run_on_all_cpus(void)
{
	cpu_set_t set;

	memset(&set, 0xff, sizeof(set));
	assert_ok(sched_setaffinity(0, sizeof(set), &set));
}

static int only_cpu = -1; /* if not negative, the library finds its thread pinned there */

/* Replaces the C library's function. */
int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
	static int (*next)(pid_t, size_t, cpu_set_t *);

	if (next == NULL)
		*(void **)&next = dlsym(RTLD_NEXT, "sched_getaffinity");
	if (only_cpu < 0)
		return next(pid, bytes, set);
	CPU_ZERO_S(bytes, set);
	CPU_SET_S((size_t)only_cpu, bytes, set);
	return 0;
}

static void attached_twice_is_ealready(void **state)
{
	(void)state;
	assert_int_equal(plf_detach(), EPERM);
	assert_ok(plf_attach(LOW, 0, 0));
	assert_string_equal(plf_backend(), "user");
	assert_int_equal(plf_attach(LOW, 0, 0), EALREADY);
	assert_ok(plf_detach());
	assert_int_equal(plf_detach(), EPERM);
	assert_string_equal(plf_backend(), "none");
}

static void senseless_arguments_are_einval(void **state)
{
	static const struct {
		int priority, cpu;
		unsigned flags;
	} bad[] = {
		{ -1, 0, 0 },
		{ 100, 0, 0 },
		{ LOW, -2, 0 },
		{ LOW, 1024, 0 },
		{ LOW, INT_MAX, 0 },
		{ LOW, 1000, 0 },
		{ LOW, 1000, PLF_BACKEND_SYSCALL },
		{ LOW, 0, 1U << 4 },
		{ LOW, 0, 1U << 31 },
		{ LOW, 0, PLF_BACKEND_USER | PLF_BACKEND_SYSCALL },
		{ LOW, 0, PLF_BACKEND_USER | PLF_BACKEND_MODULE },
		{ 0, 0, PLF_STRICT },
		{ LOW, 0, PLF_STRICT | PLF_BACKEND_SYSCALL },
	};

	(void)state;
	run_on_all_cpus();
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(plf_attach(bad[i].priority, bad[i].cpu, bad[i].flags), EINVAL);
		assert_string_equal(plf_backend(), "none");
		assert_int_equal(plf_detach(), EPERM);
	}
}

static void not_pinned_is_einval(void **state)
{
	(void)state;
	run_on_all_cpus();
	assert_int_equal(plf_attach(LOW, PLF_CPU_PINNED, 0), EINVAL);
	assert_ok(plf_attach(LOW, PLF_CPU_PINNED, PLF_BACKEND_SYSCALL));
	assert_ok(plf_detach());
	assert_ok(plf_attach(LOW, 1, 0));
	assert_ok(plf_detach());
	assert_ok(plf_attach(LOW, PLF_CPU_PINNED, 0)); /* still on CPU 1 */
	assert_ok(plf_detach());
}

/* As on a machine with more CPUs than this one. */
static void pinned_thread_is_of_its_cpu(void **state)
{
	(void)state;
	only_cpu = 5;
	assert_ok(plf_attach(LOW, PLF_CPU_PINNED, PLF_BACKEND_SYSCALL));
	only_cpu = -1;
	assert_int_equal(plf_self->cpu, 5);
	assert_ok(plf_detach());
}

static void environment_chooses_the_backend(void **state)
{
	(void)state;
	setenv("PLAFOND_BACKEND", "kernel", 1);
	assert_int_equal(plf_attach(LOW, 0, 0), EINVAL);
	assert_ok(plf_attach(LOW, 0, PLF_BACKEND_USER)); /* the flag goes before the environment */
	assert_ok(plf_detach());
	setenv("PLAFOND_BACKEND", "syscall", 1);
	assert_int_equal(plf_attach(LOW, 0, PLF_STRICT), EINVAL);
	assert_ok(plf_attach(LOW, 0, 0));
	assert_string_equal(plf_backend(), "syscall");
	assert_ok(plf_detach());
	setenv("PLAFOND_BACKEND", "user", 1);
}

/* The thread ends as a thread that was never attached. */
static void attach_in_vain_and_end(void *unused)
{
	(void)unused;
	assert_int_equal(plf_attach(LOW, 0, 0), EPERM);
}

static void attach_without_privilege(void)
{
	struct member member;
	struct rlimit none = { 0 };
	struct sched_param param = { 0 };
	cpu_set_t before, after;

	assert_ok(sched_setscheduler(0, SCHED_OTHER, &param));
	run_on_all_cpus();
	assert_ok(sched_getaffinity(0, sizeof(before), &before));
	assert_ok(setrlimit(RLIMIT_RTPRIO, &none));
	assert_ok(setgroups(0, NULL));
	assert_ok(setuid(65534));
	assert_int_equal(plf_attach(LOW, 0, 0), EPERM);
	assert_string_equal(plf_backend(), "none");
	assert_ok(sched_getaffinity(0, sizeof(after), &after));
	assert_true(CPU_EQUAL(&before, &after));
	start_stranger(&member, 0, attach_in_vain_and_end, NULL);
	join(&member);
	assert_string_equal(plf_backend(), "none");
	assert_ok(plf_attach(0, 0, 0)); /* SCHED_OTHER needs no privilege */
}

static void no_privilege_is_eperm(void **state)
{
	(void)state;
	assert_ok(in_child(attach_without_privilege));
}

static void attach_otherwise(void *unused)
{
	(void)unused;
	assert_int_equal(plf_attach(20, 0, PLF_BACKEND_SYSCALL), EBUSY);
	assert_int_equal(plf_attach(20, 0, PLF_STRICT), EBUSY);
	assert_ok(plf_attach(20, 1, PLF_STRICT)); /* another CPU may have another strength */
	assert_int_equal(plf_self->strength, PLF_STRENGTH_STRICT);
	assert_ok(plf_detach());
}

static void other_backend_or_strength_is_ebusy(void **state)
{
	struct member other;

	(void)state;
	assert_int_equal(plf_attach(LOW, 0, PLF_STRICT), ENOLCK);
	lock_memory();
	assert_ok(plf_attach(LOW, 0, 0));
	start_stranger(&other, 20, attach_otherwise, NULL);
	join(&other);
	assert_ok(plf_detach());
	assert_ok(plf_attach(1, 0, PLF_STRICT)); /* no other thread is attached */
	assert_ok(plf_detach());
	assert_ok(plf_attach(PLF_PRIORITY_MAX, 0, PLF_STRICT));
	assert_ok(plf_detach());
	assert_ok(syscall(SYS_munlockall));
	assert_int_equal(plf_attach(LOW, 0, PLF_STRICT), ENOLCK);
}

static void detach_in_a_section_is_ebusy(void **state)
{
	plf_mutex_t mutex = PLF_MUTEX_INITIALIZER(40);

	(void)state;
	for (unsigned flags = PLF_BACKEND_USER; flags <= PLF_BACKEND_SYSCALL; flags <<= 1) {
		assert_ok(plf_attach(LOW, 0, flags));
		assert_ok(plf_mutex_lock(&mutex));
		assert_int_equal(plf_detach(), EBUSY);
		assert_ok(plf_mutex_unlock(&mutex));
		assert_ok(plf_detach());
	}
}

static int there;

static void attach_and_stay(void *gate)
{
	assert_ok(plf_attach(0, 0, 0));
	__atomic_fetch_add(&there, 1, __ATOMIC_SEQ_CST);
	assert_ok(pthread_mutex_lock(gate));
	assert_ok(pthread_mutex_unlock(gate));
}

static void thread_1025_is_enomem(void **state)
{
	static struct member crowd[PLF_THREAD_MAX];
	pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
	struct sched_param param = { 0 };

	(void)state;
	assert_ok(sched_setscheduler(0, SCHED_OTHER, &param));
	assert_ok(pthread_mutex_lock(&gate));
	for (size_t i = 0; i < PLF_THREAD_MAX; i++)
		start_stranger(&crowd[i], 0, attach_and_stay, &gate);
	while (__atomic_load_n(&there, __ATOMIC_SEQ_CST) < PLF_THREAD_MAX)
		sleep_ms(5);
	assert_int_equal(plf_attach(0, 0, 0), ENOMEM);
	assert_ok(pthread_mutex_unlock(&gate));
	for (size_t i = 0; i < PLF_THREAD_MAX; i++)
		join(&crowd[i]);
	assert_ok(plf_attach(0, 0, 0));
	assert_ok(plf_detach());
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(attached_twice_is_ealready),
		cmocka_unit_test(senseless_arguments_are_einval),
		cmocka_unit_test(not_pinned_is_einval),
		cmocka_unit_test(pinned_thread_is_of_its_cpu),
		cmocka_unit_test(environment_chooses_the_backend),
		cmocka_unit_test(no_privilege_is_eperm),
		cmocka_unit_test(other_backend_or_strength_is_ebusy),
		cmocka_unit_test(detach_in_a_section_is_ebusy),
		cmocka_unit_test(thread_1025_is_enomem),
	};

	setenv("PLAFOND_BACKEND", "user", 1); /* even if the kernel module is loaded */
	return cmocka_run_group_tests_name("attach errors", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
