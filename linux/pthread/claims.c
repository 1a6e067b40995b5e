/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "claims.h"

#include "device.h"
#include "kernel_calls.h"
#include "libc.h"
#include "member.h"
#include "report.h"
#include "stats.h"

#include <plafond/lazy_ceiling.h>

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static bool are_used;

/* The kernel reads the claims, and writes `raised`. */
static __thread struct plf_lazy words;
static __thread int base;
static __thread bool is_registered, made_way;

static void find_out(void)
{
	const char *wanted = getenv("PLAFOND_BACKEND");
	bool is_asked_for = wanted != NULL && strcmp(wanted, "module") == 0;

	if (is_asked_for || wanted == NULL || wanted[0] == 0)
		are_used = plf_device_open() == 0;
	else if (strcmp(wanted, "user") != 0)
		plf_warn("PLAFOND_BACKEND=%s: expected user or module: taken as user", wanted);
	if (is_asked_for && !are_used)
		plf_warn("PLAFOND_BACKEND=module: /dev/plafond cannot be opened: taken as user");
}

bool plf_claims_are_used(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_out);
	return are_used;
}

bool plf_claims_were_used(void)
{
	return are_used;
}

/* The excess is never beyond PLF_LAZY_SPAN, because ceiling and base are priorities. */
static void claim(int ceiling)
{
	plf_barrier();
	plf_me.claimed = (uint8_t)ceiling;
	plf_barrier();
	plf_store64(&words.claim[PLF_LAZY_ROBUST],
		    ceiling == 0 ? PLF_LAZY_UNUSED : PLF_LAZY_INSIDE + (uint64_t)(ceiling - base));
	plf_barrier();
}

static void withdraw(void)
{
	plf_store64(&words.claim[PLF_LAZY_STRICT], PLF_LAZY_UNUSED);
	claim(0);
}

bool plf_claims_join(void)
{
	if (is_registered || made_way)
		return is_registered;
	withdraw();
	plf_lazy_report(&words, 0);
	__pthread_mutex_lock(&plf_me.change); /* the module takes the base of this moment */
	base = plf_me.priority;
	is_registered = plf_device_register(&words) == 0;
	__pthread_mutex_unlock(&plf_me.change);
	return is_registered;
}

void plf_claims_part(void)
{
	withdraw();
	if (is_registered)
		plf_device_unregister();
	is_registered = false;
}

void plf_claims_raise(int ceiling)
{
	if (ceiling > plf_me.claimed)
		claim(ceiling);
}

/* If the program has closed the way to the device, set the priority as an eager thread does. */
static void ask_kernel(void)
{
	bool is_above = plf_me.claimed > plf_me.priority;

	plf_counts.system_calls_made++;
	if (plf_device_lower() != 0)
		plf_kernel_set_priority(0, is_above ? SCHED_FIFO : plf_me.policy,
					is_above ? plf_me.claimed : plf_me.priority);
}

/* The claim changes before `raised` is read, or the kernel could raise the caller after that. */
void plf_claims_lower(int ceiling)
{
	claim(ceiling);
	if (plf_load32(&words.raised) > plf_lazy_wanted(words.claim[PLF_LAZY_ROBUST]))
		ask_kernel();
}

void plf_claims_show(void)
{
	ask_kernel();
}

/*
 * The module takes back only a priority that it gave, under SCHED_FIFO. Under SCHED_RR the priority
 * is the caller's own, and stays when the claim is gone. Otherwise the module would take the caller
 * back to the base that it knows, which another thread may have changed since.
 */
void plf_claims_hand_over(void)
{
	int priority = plf_me.claimed > plf_me.priority ? plf_me.claimed : plf_me.priority;

	if (priority > base) {
		plf_counts.system_calls_made++;
		plf_kernel_set_priority(0, SCHED_RR | (plf_me.policy & SCHED_RESET_ON_FORK),
					priority);
	}
	plf_claims_lower(0);
}

void plf_claims_make_way(void)
{
	if (!is_registered)
		return;
	plf_claims_part();
	made_way = true;
}

void plf_claims_after_fork(void)
{
	withdraw();
	is_registered = false;
}
