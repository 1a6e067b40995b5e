/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * The calls that change or tell a thread's scheduling. What a program sets is the base;
 * sections may keep the kernel's priority above it. A thread whose scheduling was changed
 * settles anew.
 */
#include "learn.h"
#include "libc.h"
#include "priority.h"
#include "section.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

/* A signal handler's blocking call must not come in between: it might settle. */
static void begin(void)
{
	plf_me.busy++;
	plf_registry_lock();
}

static void end(void)
{
	plf_registry_unlock();
	plf_me.busy--;
}

static struct plf_member *known_self(void)
{
	return plf_me.known ? &plf_me : NULL;
}

static struct plf_member *self_or(struct plf_member *(*find)(uint32_t), pid_t tid)
{
	return tid == 0 || (uint32_t)tid == plf_me.tid ? known_self() : find((uint32_t)tid);
}

/* ---- Setting ----------------------------------------------------------- */

struct call {
	pthread_t thread;
	pid_t tid;
	int policy; /* -1: as it is */
	const struct sched_param *param;
};

static int by_schedparam(const void *call)
{
	const struct call *c = call;

	return PLF_LIBC(pthread_setschedparam)(c->thread, c->policy, c->param);
}

static int by_schedprio(const void *call)
{
	const struct call *c = call;

	return PLF_LIBC(pthread_setschedprio)(c->thread, c->param->sched_priority);
}

static int by_scheduler(const void *call)
{
	const struct call *c = call;

	return PLF_LIBC(sched_setscheduler)(c->tid, c->policy, c->param) < 0 ? errno : 0;
}

static int by_param(const void *call)
{
	const struct call *c = call;

	return PLF_LIBC(sched_setparam)(c->tid, c->param) < 0 ? errno : 0;
}

/* A thread that is not known has no section: the C library's call is all. */
static int set(struct plf_member *member, const struct call *call, int (*libc)(const void *))
{
	int error;

	if (member == NULL)
		return libc(call);
	if (member == &plf_me)
		plf_commit(PLF_SCHEDULING_CALL);
	error = plf_priority_set_base(member, call->policy, call->param->sched_priority, libc,
				      call);
	plf_unsettle(member);
	return error;
}

static int set_and_unlock(struct plf_member *member, const struct call *call,
			  int (*libc)(const void *))
{
	int error = set(member, call, libc);

	end();
	if (plf_learning)
		plf_learn_thread();
	return error;
}

PLF_EXPORT int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *param)
{
	const struct call call = { .thread = thread, .policy = policy, .param = param };

	begin();
	return set_and_unlock(plf_member_of(thread), &call, by_schedparam);
}

PLF_EXPORT int pthread_setschedprio(pthread_t thread, int priority)
{
	const struct sched_param param = { .sched_priority = priority };
	const struct call call = { .thread = thread, .policy = -1, .param = &param };

	begin();
	return set_and_unlock(plf_member_of(thread), &call, by_schedprio);
}

static int as_result(int error)
{
	if (error == 0)
		return 0;
	errno = error;
	return -1;
}

PLF_EXPORT int sched_setscheduler(pid_t tid, int policy, const struct sched_param *param)
{
	const struct call call = { .tid = tid, .policy = policy, .param = param };

	if (param == NULL)
		return PLF_LIBC(sched_setscheduler)(tid, policy, param);
	begin();
	return as_result(set_and_unlock(self_or(plf_member_of_tid, tid), &call, by_scheduler));
}

PLF_EXPORT int sched_setparam(pid_t tid, const struct sched_param *param)
{
	const struct call call = { .tid = tid, .policy = -1, .param = param };

	if (param == NULL)
		return PLF_LIBC(sched_setparam)(tid, param);
	begin();
	return as_result(set_and_unlock(self_or(plf_member_of_tid, tid), &call, by_param));
}

/* ---- Asking ------------------------------------------------------------ */

/* The base, also where the C library would ask the kernel, or knows only its own calls. */
PLF_EXPORT int pthread_getschedparam(pthread_t thread, int *restrict policy,
				     struct sched_param *restrict param)
{
	const struct plf_member *member;

	begin();
	member = plf_member_of(thread);
	if (member != NULL) {
		*policy = member->policy & ~SCHED_RESET_ON_FORK;
		*param = (struct sched_param) { .sched_priority = member->priority };
	}
	end();
	return member != NULL ? 0 : PLF_LIBC(pthread_getschedparam)(thread, policy, param);
}

/* The priority at which a holder runs: its ceiling. */
static int highest_ceiling(const struct plf_member *member)
{
	int highest = 0;

	for (size_t i = 0; i < PLF_SECTIONS; i++)
		if (member->section[i].kept == PLF_KEPT_BY_FRAME &&
		    member->section[i].ceiling > highest)
			highest = member->section[i].ceiling;
	return highest;
}

/* One's own is committed; another thread's cannot be from here, so it is told as it counts. */
PLF_EXPORT int sched_getparam(pid_t tid, struct sched_param *param)
{
	struct plf_member *member;
	int ceiling = 0;

	if (tid == 0 || (uint32_t)tid == plf_me.tid) {
		plf_commit(PLF_PRIORITY_READ);
		return PLF_LIBC(sched_getparam)(tid, param);
	}
	begin();
	member = plf_member_of_tid((uint32_t)tid);
	if (member != NULL)
		ceiling = highest_ceiling(member);
	end();
	if (PLF_LIBC(sched_getparam)(tid, param) != 0)
		return -1;
	if (param->sched_priority < ceiling)
		param->sched_priority = ceiling;
	return 0;
}

/* ---- Affinity ---------------------------------------------------------- */

/* Frames stay on their CPU; who leaves it must have none. Another thread finds itself moved. */
static void before_move(struct plf_member *member)
{
	if (member == &plf_me)
		plf_commit(PLF_SCHEDULING_CALL);
}

static void after_move(struct plf_member *member)
{
	if (member != NULL)
		plf_unsettle(member);
	end();
	if (plf_learning)
		plf_learn_thread();
}

PLF_EXPORT int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set_of_cpus)
{
	struct plf_member *member;
	int error;

	begin();
	member = plf_member_of(thread);
	before_move(member);
	error = PLF_LIBC(pthread_setaffinity_np)(thread, size, set_of_cpus);
	after_move(member);
	return error;
}

PLF_EXPORT int sched_setaffinity(pid_t tid, size_t size, const cpu_set_t *set_of_cpus)
{
	struct plf_member *member;
	int result;

	begin();
	member = self_or(plf_member_of_tid, tid);
	before_move(member);
	result = PLF_LIBC(sched_setaffinity)(tid, size, set_of_cpus);
	after_move(member);
	return result;
}
