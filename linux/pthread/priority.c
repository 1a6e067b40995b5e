/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "priority.h"

#include "claims.h"
#include "kernel_calls.h"
#include "libc.h"
#include "stats.h"

#include <errno.h>
#include <sched.h>

static int kind_of(int policy)
{
	return policy & ~SCHED_RESET_ON_FORK;
}

bool plf_has_priority(int policy)
{
	return kind_of(policy) == SCHED_FIFO || kind_of(policy) == SCHED_RR;
}

/*
 * A thread that left the real-time policies inside a section stays at the ceiling, under
 * SCHED_FIFO, until the section ends. A SCHED_DEADLINE thread has no priority, so it is left alone.
 */
static int set_in_kernel(const struct plf_member *member, int ceiling)
{
	int policy = member->policy;
	int priority = member->priority;

	if (kind_of(policy) == SCHED_DEADLINE)
		return 0;
	if (ceiling > priority) {
		priority = ceiling;
		if (!plf_has_priority(policy))
			policy = SCHED_FIFO | (policy & SCHED_RESET_ON_FORK);
	}
	plf_counts.system_calls_made++;
	return plf_kernel_set_priority(member->tid, policy, priority);
}

static int highest_eager(void)
{
	int ceiling = PLF_PRIORITY_MAX;

	while (ceiling > 0 && plf_me.eager[ceiling] == 0)
		ceiling--;
	return ceiling;
}

/* Set the caller's priority in the kernel, if it differs from that with a ceiling of `before`. */
static int follow(int before)
{
	int base = plf_me.priority;
	int error = 0;

	if ((plf_me.raised_to > base ? plf_me.raised_to : base) != (before > base ? before : base))
		error = set_in_kernel(&plf_me, plf_me.raised_to);
	return error;
}

int plf_priority_raise(int ceiling)
{
	int before, error = 0;

	__pthread_mutex_lock(&plf_me.change);
	before = plf_me.raised_to;
	if (!plf_has_priority(plf_me.policy) && before == 0) {
		error = EINVAL;
	} else {
		plf_me.raised_to = ceiling > before ? ceiling : before;
		error = follow(before);
	}
	if (error == 0)
		plf_me.eager[ceiling]++;
	else
		plf_me.raised_to = before;
	__pthread_mutex_unlock(&plf_me.change);
	return error;
}

void plf_priority_lower(int ceiling)
{
	int before;

	__pthread_mutex_lock(&plf_me.change);
	before = plf_me.raised_to;
	if (--plf_me.eager[ceiling] == 0 && ceiling == before) {
		plf_me.raised_to = highest_eager();
		follow(before); /* lowering is never refused */
	}
	__pthread_mutex_unlock(&plf_me.change);
}

static bool is_in_range(int policy, int priority)
{
	return kind_of(policy) != SCHED_DEADLINE &&
	       priority >= sched_get_priority_min(kind_of(policy)) &&
	       priority <= sched_get_priority_max(kind_of(policy));
}

/* The kernel gets the higher of base and ceiling. The C library gets the base at the next call. */
static int set_below_ceiling(struct plf_member *member, int ceiling, int policy, int priority)
{
	int old_policy = member->policy, old_priority = member->priority;
	int error;

	member->policy = policy < 0 ? old_policy : policy;
	member->priority = priority;
	error = is_in_range(member->policy, priority) ? set_in_kernel(member, ceiling) : EINVAL;
	if (error != 0) {
		member->policy = old_policy;
		member->priority = old_priority;
	}
	return error;
}

/* The caller's claims do not count, because they were committed. */
static int ceiling_of(const struct plf_member *member)
{
	if (member->raised_to > 0 || member == &plf_me)
		return member->raised_to;
	return member->claimed;
}

int plf_priority_set_base(struct plf_member *member, int policy, int priority,
			  int (*libc)(const void *), const void *arguments)
{
	int ceiling, error;

	__pthread_mutex_lock(&member->change);
	ceiling = ceiling_of(member);
	if (ceiling > 0) {
		error = set_below_ceiling(member, ceiling, policy, priority);
	} else {
		error = libc(arguments);
		plf_kernel_get_priority(member->tid, &member->policy, &member->priority);
	}
	__pthread_mutex_unlock(&member->change);
	return error;
}

/*
 * The call may keep the policy or the priority. Then the kernel has the ceiling's value, and the
 * base stays.
 */
static void take_changes(struct plf_member *member, int policy, int priority)
{
	int policy_now, priority_now;

	plf_kernel_get_priority(member->tid, &policy_now, &priority_now);
	if (policy_now != policy)
		member->policy = policy_now;
	if (priority_now != priority)
		member->priority = priority_now;
}

int plf_priority_set_by_kernel(struct plf_member *member, int (*call)(const void *),
			       const void *arguments)
{
	int error, policy, priority;

	__pthread_mutex_lock(&member->change);
	plf_kernel_get_priority(member->tid, &policy, &priority);
	error = call(arguments);
	if (error == 0) {
		take_changes(member, policy, priority);
		if (ceiling_of(member) > member->priority)
			error = set_in_kernel(member, ceiling_of(member));
	}
	__pthread_mutex_unlock(&member->change);
	return error;
}

bool plf_priority_ask_again(void)
{
	int policy = plf_me.policy, priority = plf_me.priority;

	__pthread_mutex_lock(&plf_me.change);
	if (plf_me.raised_to == 0 && plf_me.claims == 0)
		plf_kernel_get_priority(0, &plf_me.policy, &plf_me.priority);
	policy ^= plf_me.policy;
	priority ^= plf_me.priority;
	__pthread_mutex_unlock(&plf_me.change);
	return (policy | priority) != 0;
}

void plf_priority_base(int *policy, int *priority)
{
	*policy = plf_me.policy;
	*priority = plf_me.priority;
	if (plf_me.raised_to == 0 && plf_me.claims == 0)
		plf_kernel_get_priority(0, policy, priority);
}

void plf_priority_take_over(void)
{
	__pthread_mutex_lock(&plf_me.change);
	plf_claims_hand_over();
	set_in_kernel(&plf_me, plf_me.raised_to);
	__pthread_mutex_unlock(&plf_me.change);
}

void plf_priority_renew(void)
{
	__pthread_mutex_lock(&plf_me.change);
	set_in_kernel(&plf_me, plf_me.raised_to);
	__pthread_mutex_unlock(&plf_me.change);
}
