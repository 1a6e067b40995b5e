/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Answers of a kernel to a thread that waits for a mutex. A kernel before Linux 5.14 has no
 * FUTEX_LOCK_PI2, and any kernel may be short of memory. A seccomp filter of the waiting thread
 * plays that kernel.
 */
#include "enter_kernel.h"
#include "team.h"

#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

/* Passes the filter, because FUTEX_LOCK_PI does not look at its last argument. */
enum { UNSEEN = 1 };

static pthread_mutex_t mutex;

static int setup(void **state)
{
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	return prepare_main(state);
}

#define answer_test(f) cmocka_unit_test_setup(f, setup)

/* ---- The kernel -------------------------------------------------------- */

/* Answers a call with these registers that would lock the mutex: 0 or less, as it returns. */
static long (*answer)(const greg_t *call);

static bool is_of_mutex(const greg_t *call)
{
	return (uintptr_t)call[REG_RDI] - (uintptr_t)&mutex < sizeof(mutex);
}

static long lock_as_asked(const greg_t *call)
{
	const long argument[6] = { call[REG_RDI], call[REG_RSI], 0, call[REG_R10], 0, UNSEEN };

	return plf_enter_kernel(SYS_futex, argument);
}

static void on_call(int signal, siginfo_t *info, void *context)
{
	greg_t *call = ((ucontext_t *)context)->uc_mcontext.gregs;

	UNUSED(signal);
	UNUSED(info);
	call[REG_RAX] = is_of_mutex(call) ? answer(call) : lock_as_asked(call);
}

#define ARGUMENT(n) ((uint32_t)offsetof(struct seccomp_data, args[n]))
#define LOAD(at)    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)
#define RETURN(as)  BPF_STMT(BPF_RET | BPF_K, as)
/* Skip `others` instructions unless the loaded word is `value`. */
#define UNLESS(value, others) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, others)

/* Let the calling thread run on that kernel from now on. */
static void be_of_that_kernel(void)
{
	struct sock_filter code[] = {
		LOAD(offsetof(struct seccomp_data, arch)),
		UNLESS(AUDIT_ARCH_X86_64, 9),
		LOAD(offsetof(struct seccomp_data, nr)),
		UNLESS(SYS_futex, 7),
		LOAD(ARGUMENT(1)),
		UNLESS(FUTEX_LOCK_PI2 | FUTEX_PRIVATE_FLAG, 1),
		RETURN(SECCOMP_RET_ERRNO | ENOSYS),
		UNLESS(FUTEX_LOCK_PI | FUTEX_PRIVATE_FLAG, 3),
		LOAD(ARGUMENT(5)),
		UNLESS(0, 1),
		RETURN(SECCOMP_RET_TRAP),
		RETURN(SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { sizeof(code) / sizeof(code[0]), code };
	const struct sigaction action = { .sa_sigaction = on_call, .sa_flags = SA_SIGINFO };

	assert_ok(sigaction(SIGSYS, &action, NULL));
	assert_ok(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	assert_ok(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
}

/* A member on that kernel finds the mutex held by main, which sleeps inside. */
static void beside_main(void (*body)(void *))
{
	assert_ok(pthread_mutex_lock(&mutex));
	run_as(20, body, NULL);
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* ---- No FUTEX_LOCK_PI2 ------------------------------------------------- */

/* Time that passes between two reads of a clock, in ns. */
enum { BETWEEN_LOOKS = 1000 };

static struct timespec monotonic, realtime; /* at the first read */
static int looks;			    /* -1: real clocks */

static struct timespec after(struct timespec time, long ns)
{
	time.tv_nsec += ns;
	time.tv_sec += time.tv_nsec / SECOND;
	time.tv_nsec %= SECOND;
	return time;
}

/* Replaces the C library's function, also for the drop-in. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
	if (looks < 0)
		return (int)syscall(SYS_clock_gettime, clock, time);
	*time = after(clock == CLOCK_MONOTONIC ? monotonic : realtime,
		      (long)BETWEEN_LOOKS * looks++);
	return 0;
}

static struct timespec asked; /* the deadline that the kernel got */

static long time_out(const greg_t *call)
{
	memcpy(&asked, (const void *)call[REG_R10], sizeof(asked));
	return -ETIMEDOUT;
}

static long long in_ns(const struct timespec *time)
{
	return (long long)time->tv_sec * SECOND + time->tv_nsec;
}

/* The deadline is the same moment on the other clock: never earlier, nor much later. */
static void wait_until_the_same_moment(void *unused)
{
	static const struct {
		struct timespec monotonic, realtime, until;
	} cases[] = {
		{ { 5, 300000000 }, { 100, 200000000 }, { 6, 900000000 } },
		{ { 5, 100000000 }, { 100, 800000000 }, { 6, 900000000 } }, /* carries */
		{ { 5, 900000000 }, { 100, 100000000 }, { 6, 200000000 } }, /* borrows */
		{ { 5, 500000000 }, { 100, 300000000 - BETWEEN_LOOKS }, { 6, 200000000 } },
		{ { 5, 100000000 }, { 100, 600000000 - BETWEEN_LOOKS }, { 6, 500000000 } },
		{ { 900, 1 }, { 7, 999999999 }, { 1000, 999999999 } },
	};

	UNUSED(unused);
	be_of_that_kernel();
	answer = time_out;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		long long expected_ns;
		int error;

		monotonic = cases[i].monotonic;
		realtime = cases[i].realtime;
		asked = (struct timespec) { 0 };
		looks = 0;
		error = pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &cases[i].until);
		looks = -1;
		assert_int_equal(error, ETIMEDOUT);
		expected_ns = in_ns(&cases[i].until) - in_ns(&monotonic) + in_ns(&realtime);
		assert_in_range(in_ns(&asked) - expected_ns, 0, BETWEEN_LOOKS);
		assert_in_range(asked.tv_nsec, 0, SECOND - 1);
	}
}

static void a_monotonic_time_limit_without_lock_pi2(void **state)
{
	UNUSED(state);
	looks = -1;
	beside_main(wait_until_the_same_moment);
}

/* ---- Refusals that pass ------------------------------------------------ */

static const int passing[] = { EAGAIN, EINTR, ENOMEM, ENOMEM, ENOMEM };
enum { PASSING = sizeof(passing) / sizeof(passing[0]), OUT_OF_MEMORY = 3 };
static int refusals;

static long refuse_for_a_while(const greg_t *call)
{
	return refusals < PASSING ? -passing[refusals++] : lock_as_asked(call);
}

static long sleeps_so_far(void)
{
	struct rusage usage;

	assert_ok(getrusage(RUSAGE_THREAD, &usage));
	return usage.ru_nvcsw;
}

/* Without memory the thread sleeps before it asks again, or it would keep its CPU for nothing. */
static void ask_again(void *unused)
{
	long before;

	UNUSED(unused);
	be_of_that_kernel();
	answer = refuse_for_a_while;
	before = sleeps_so_far();
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(refusals, PASSING);
	assert_in_range(sleeps_so_far() - before, OUT_OF_MEMORY, LONG_MAX);
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void a_refusal_that_passes_is_none(void **state)
{
	struct member member;

	UNUSED(state);
	looks = -1;
	refusals = 0;
	assert_ok(pthread_mutex_lock(&mutex));
	start(&member, 20, ask_again, NULL);
	while (refusals < PASSING)
		sleep_ms(1);
	await_sleep(&member);
	assert_ok(pthread_mutex_unlock(&mutex));
	join(&member);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		answer_test(a_monotonic_time_limit_without_lock_pi2),
		answer_test(a_refusal_that_passes_is_none),
	};

	return cmocka_run_group_tests_name("kernel answers", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	looks = -1;
	return run_team(argc, argv, tests);
}
