/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A program enters a sandbox (seccomp) after its start. System calls that only the library makes
 * are refused, but locks still work. At the end of the process the library makes no call.
 */
#include "crowd.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ROUNDS = 300, DONE = 7 };

static sem_t closed;

/* ---- The sandbox --------------------------------------------------------- */

enum { REFUSED_MAX = 8 };

struct sandbox {
	int refused[REFUSED_MAX]; /* system call numbers; 0 ends the list */
};

#define LOAD_NUMBER    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
/* Skip the next instruction unless it is that call. */
#define IF_CALL(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1)

static void close_sandbox(struct sock_filter *code, size_t count)
{
	struct sock_fprog program = { (unsigned short)count, code };

	assert_ok(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	assert_int_equal(
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program),
		0);
}

static void refuse(const struct sandbox *sandbox)
{
	struct sock_filter code[2 * REFUSED_MAX + 2] = { LOAD_NUMBER };
	size_t count = 1;

	for (const int *number = sandbox->refused; *number != 0; number++) {
		code[count++] = (struct sock_filter)IF_CALL((unsigned)*number);
		code[count++] = (struct sock_filter)RETURN(SECCOMP_RET_ERRNO | EPERM);
	}
	code[count++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	close_sandbox(code, count);
}

/* ---- Locks in it --------------------------------------------------------- */

static const struct sandbox sandboxes[] = {
	{ { SYS_membarrier } },
	{ { SYS_membarrier, SYS_sched_setaffinity } },
	{ { SYS_membarrier, SYS_sched_getaffinity, SYS_capget, SYS_prlimit64, SYS_get_robust_list,
	    SYS_gettid } },
};

enum { SANDBOXES = sizeof(sandboxes) / sizeof(sandboxes[0]) };

static struct crowd crowd;

static void visit_when_closed(void *visitor)
{
	assert_ok(sem_wait(&closed));
	visit(visitor);
}

/* Both mutexes are local to this CPU before. Then threads of two CPUs visit them. */
static void visit_from_two_cpus(void *sandbox)
{
	struct visitor here = { &crowd, 1, ROUNDS }, there = { &crowd, 2, ROUNDS };
	struct member first, second;

	assert_ok(sem_init(&closed, 0, 0));
	open_crowd(&crowd, PTHREAD_MUTEX_NORMAL);
	for (int i = 0; i < 2; i++) {
		assert_ok(pthread_mutex_lock(&crowd.room[i].mutex));
		assert_ok(pthread_mutex_unlock(&crowd.room[i].mutex));
	}
	start_on(&first, 0, 20, visit_when_closed, &here);
	start_on(&second, 1, 20, visit_when_closed, &there);
	await_sleep(&first);
	await_sleep(&second);
	refuse(sandbox);
	assert_ok(sem_post(&closed));
	assert_ok(sem_post(&closed));
	join(&first);
	join(&second);
	close_crowd(&crowd);
	_exit(DONE);
}

static void it_excludes_and_nothing_ends(void **state)
{
	UNUSED(state);
	for (int i = 0; i < SANDBOXES; i++)
		assert_int_equal(in_child(visit_from_two_cpus, (void *)(uintptr_t)&sandboxes[i]),
				 DONE);
}

/* ---- The end of a process ------------------------------------------------ */

static void allow_the_end_alone(void)
{
	struct sock_filter code[] = { LOAD_NUMBER, IF_CALL(SYS_exit_group),
				      RETURN(SECCOMP_RET_ALLOW), RETURN(SECCOMP_RET_KILL_PROCESS) };

	close_sandbox(code, sizeof(code) / sizeof(code[0]));
}

static void end_at_once(void *unused)
{
	UNUSED(unused);
	allow_the_end_alone();
	_exit(DONE);
}

static void end_in_good_order(void *unused)
{
	UNUSED(unused);
	fflush(NULL);
	allow_the_end_alone();
	exit(DONE);
}

static void the_end_makes_no_call(void **state)
{
	UNUSED(state);
	assert_int_equal(in_child(end_at_once, NULL), DONE);
	assert_int_equal(in_child(end_in_good_order, NULL), DONE);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(it_excludes_and_nothing_ends),
		team_test(the_end_makes_no_call),
	};

	return cmocka_run_group_tests_name("sandbox", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
