/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * The calls that set or get a thread's scheduling. A program sets the base; sections may keep the
 * kernel's priority above it. A thread whose scheduling was changed settles anew.
 */
#include "claims.h"
#include "commit.h"
#include "learn.h"
#include "libc.h"
#include "priority.h"
#include "section.h"
#include "waits/system_call.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * `busy` keeps a signal handler's blocking call from settling in between. A handler that
 * interrupted this library may make these calls, but must not wait for the lock. The interrupted
 * thread has the lock, or the thread that has it waits for the interrupted thread. So the handler's
 * call goes to the kernel alone.
 */
static void begin(void)
{
	if (plf_me.busy++ == 0)
		plf_registry_lock();
}

static void end(void)
{
	if (--plf_me.busy == 0)
		plf_registry_unlock();
}

static bool is_interrupted(void)
{
	return plf_me.busy > 1;
}

/* NULL for a child of vfork(), which runs in the memory of its parent. */
static struct plf_member *known_self(void)
{
	return plf_me.known && plf_me.tid == (uint32_t)gettid() ? &plf_me : NULL;
}

/* NULL: the thread is not known, or the caller interrupted this library. */
static struct plf_member *of_tid(pid_t tid)
{
	if (is_interrupted())
		return NULL;
	return tid == 0 || (uint32_t)tid == plf_me.tid ? known_self()
						       : plf_member_of_tid((uint32_t)tid);
}

static struct plf_member *of_thread(pthread_t thread)
{
	return is_interrupted() ? NULL : plf_member_of(thread);
}

/* Only the kernel knows the new scheduling, perhaps the caller's own, so its next section asks. */
static void was_set_past(void)
{
	if (!is_interrupted())
		return;
	plf_me.asked = false;
	plf_unsettle(&plf_me);
}

/* ---- Setting ----------------------------------------------------------- */

struct call {
	pthread_t thread;
	pid_t tid;
	int policy; /* -1: unchanged */
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

/* Another thread's claims are set in the kernel only after it was unsettled: see priority.h. */
static void begin_change(struct plf_member *member)
{
	if (member == &plf_me) {
		plf_commit(PLF_SCHEDULING_CALL);
	} else {
		plf_unsettle(member);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	}
}

/* A thread that is not known has no section, so the C library's call is enough. */
static int set(struct plf_member *member, const struct call *call, int (*libc)(const void *))
{
	int error;

	if (member == NULL) {
		error = libc(call);
		was_set_past();
		return error;
	}
	begin_change(member);
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
	return set_and_unlock(of_thread(thread), &call, by_schedparam);
}

PLF_EXPORT int pthread_setschedprio(pthread_t thread, int priority)
{
	const struct sched_param param = { .sched_priority = priority };
	const struct call call = { .thread = thread, .policy = -1, .param = &param };

	begin();
	return set_and_unlock(of_thread(thread), &call, by_schedprio);
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
	return as_result(set_and_unlock(of_tid(tid), &call, by_scheduler));
}

PLF_EXPORT int sched_setparam(pid_t tid, const struct sched_param *param)
{
	const struct call call = { .tid = tid, .policy = -1, .param = param };

	if (param == NULL)
		return PLF_LIBC(sched_setparam)(tid, param);
	begin();
	return as_result(set_and_unlock(of_tid(tid), &call, by_param));
}

/* ---- Asking ------------------------------------------------------------ */

/* Return the base, even if the C library would ask the kernel, or knows only its own calls. */
PLF_EXPORT int pthread_getschedparam(pthread_t thread, int *restrict policy,
				     struct sched_param *restrict param)
{
	const struct plf_member *member;

	begin();
	member = of_thread(thread);
	if (member != NULL && !member->asked)
		member = NULL; /* the base may be old: ask the C library */
	if (member != NULL) {
		*policy = member->policy & ~SCHED_RESET_ON_FORK;
		*param = (struct sched_param) { .sched_priority = member->priority };
	}
	end();
	return member != NULL ? 0 : PLF_LIBC(pthread_getschedparam)(thread, policy, param);
}

/*
 * The ceiling of a thread's lazy sections, which the kernel does not know yet. The caller's
 * sections are committed. Another thread's sections cannot be committed from here, so their ceiling
 * is returned.
 */
static int ceiling_of(pid_t tid)
{
	struct plf_member *member;
	int ceiling = 0;

	if (tid == 0 && plf_me.lent && !plf_is_self())
		return 0;
	if (tid == 0 || (uint32_t)tid == plf_me.tid) {
		if (plf_me.busy == 0)
			plf_commit(PLF_PRIORITY_READ);
		return plf_me.raised_to > plf_me.claimed ? plf_me.raised_to : plf_me.claimed;
	}
	begin();
	member = of_tid(tid);
	if (member != NULL)
		ceiling = member->claimed != 0 ? member->claimed
					       : plf_highest_ceiling(member, PLF_KEPT_BY_FRAME);
	end();
	return ceiling;
}

PLF_EXPORT int sched_getparam(pid_t tid, struct sched_param *param)
{
	int ceiling = ceiling_of(tid);

	if (PLF_LIBC(sched_getparam)(tid, param) != 0)
		return -1;
	if (param->sched_priority < ceiling)
		param->sched_priority = ceiling;
	return 0;
}

/* The kernel may have SCHED_FIFO because of a claim, so return the base policy. */
PLF_EXPORT int sched_getscheduler(pid_t tid)
{
	const struct plf_member *member;
	int policy = -1;

	if (!plf_claims_were_used())
		return PLF_LIBC(sched_getscheduler)(tid);
	begin();
	member = of_tid(tid);
	if (member != NULL && member->claimed != 0)
		policy = member->policy;
	end();
	return policy >= 0 ? policy : PLF_LIBC(sched_getscheduler)(tid);
}

/*
 * ---- By attributes ----
 *
 * The C library has these functions since 2.41. Its header conflicts with the kernel's, and both
 * conflict with older headers. So the functions have other names here.
 */
struct attr { /* the beginning of struct sched_attr */
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
};

PLF_EXPORT int plf_sched_setattr(pid_t tid, const struct attr *attr,
				 unsigned flags) __asm__("sched_setattr");
PLF_EXPORT int plf_sched_getattr(pid_t tid, struct attr *attr, unsigned size,
				 unsigned flags) __asm__("sched_getattr");

struct attr_call {
	pid_t tid;
	const struct attr *attr;
	unsigned flags;
};

static int by_attr(const void *call)
{
	const struct attr_call *c = call;

	return syscall(SYS_sched_setattr, c->tid, c->attr, c->flags) < 0 ? errno : 0;
}

int plf_sched_setattr(pid_t tid, const struct attr *attr, unsigned flags)
{
	const struct attr_call call = { .tid = tid, .attr = attr, .flags = flags };
	struct plf_member *member;
	int error;

	begin();
	member = of_tid(tid);
	if (member == NULL) {
		error = by_attr(&call);
		was_set_past();
	} else {
		begin_change(member);
		error = plf_priority_set_by_kernel(member, by_attr, &call);
		plf_unsettle(member);
	}
	end();
	if (plf_learning)
		plf_learn_thread();
	return as_result(error);
}

int plf_sched_getattr(pid_t tid, struct attr *attr, unsigned size, unsigned flags)
{
	unsigned ceiling = (unsigned)ceiling_of(tid);

	if (syscall(SYS_sched_getattr, tid, attr, size, flags) != 0)
		return -1;
	if (attr->priority < ceiling)
		attr->priority = ceiling;
	return 0;
}

/* ---- Affinity ---------------------------------------------------------- */

/*
 * Frames stay on their CPU, so a thread that leaves it must have none. A thread other than the
 * caller finds out itself that it was moved. Claims move with their thread.
 */
static void before_move(struct plf_member *member)
{
	if (member == &plf_me && plf_me.published != 0)
		plf_commit(PLF_SCHEDULING_CALL);
}

static void after_move(struct plf_member *member)
{
	if (member != NULL)
		plf_unsettle(member);
	else
		was_set_past();
	end();
	if (plf_learning)
		plf_learn_thread();
}

PLF_EXPORT int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set_of_cpus)
{
	struct plf_member *member;
	int error;

	begin();
	member = of_thread(thread);
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
	member = of_tid(tid);
	before_move(member);
	result = PLF_LIBC(sched_setaffinity)(tid, size, set_of_cpus);
	after_move(member);
	return result;
}

/* ---- By syscall() ------------------------------------------------------ */

bool plf_scheduling_call(const struct plf_system_call *call, long *result)
{
	const long *a = call->argument;
	pid_t tid = (pid_t)a[0];

	switch (call->number) {
	case SYS_sched_setscheduler:
		*result = sched_setscheduler(tid, (int)a[1], (const void *)a[2]);
		return true;
	case SYS_sched_setparam:
		*result = sched_setparam(tid, (const void *)a[1]);
		return true;
	case SYS_sched_getparam:
		*result = sched_getparam(tid, (void *)a[1]);
		return true;
	case SYS_sched_getscheduler:
		*result = sched_getscheduler(tid);
		return true;
	case SYS_sched_setaffinity:
		*result = sched_setaffinity(tid, (size_t)a[1], (const void *)a[2]);
		return true;
	case SYS_sched_setattr:
		*result = plf_sched_setattr(tid, (const void *)a[1], (unsigned)a[2]);
		return true;
	case SYS_sched_getattr:
		*result = plf_sched_getattr(tid, (void *)a[1], (unsigned)a[2], (unsigned)a[3]);
		return true;
	default:
		return false;
	}
}
