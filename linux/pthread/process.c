/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "process.h"

#include "ceilings.h"
#include "claims.h"
#include "commit.h"
#include "cond_libc.h"
#include "cond_state.h"
#include "doors.h"
#include "first_lock.h"
#include "learn.h"
#include "learn_report.h"
#include "libc.h"
#include "mutex_calls.h"
#include "own_calls.h"
#include "race_checker.h"
#include "report.h"
#include "section.h"
#include "settings.h"
#include "settle.h"
#include "site.h"
#include "stats.h"

#include <stdlib.h>
#include <unistd.h>

static __thread bool has_registry;

/*
 * A signal handler that interrupted this library must not wait, because the registry's holder may
 * be waiting for the interrupted thread. Without the lock the child still finds the caller's own
 * words whole, and renews all others.
 */
static void before_fork(void)
{
	has_registry = plf_me.busy != 0 ? plf_registry_try() : true;
	if (plf_me.busy != 0)
		return;
	plf_commit_before_fork();
	plf_registry_lock();
}

static void after_fork_in_parent(void)
{
	if (has_registry)
		plf_registry_unlock();
}

static void renew(bool had_registry)
{
	plf_settings_after_fork();
	plf_members_after_fork();
	plf_sections_after_fork();
	plf_conds_after_fork();
	plf_stats_after_fork();
	plf_learn_after_fork();
	plf_ceilings_after_fork();
	plf_first_locks_after_fork();
	plf_registry_renew(had_registry);
}

static void after_fork_in_child(void)
{
	renew(has_registry);
}

/* _Fork() calls no fork handlers: only the caller's words and the others' locks are renewed. */
PLF_EXPORT pid_t _Fork(void)
{
	pid_t child = PLF_LIBC(_Fork)();

	if (child == 0)
		renew(false);
	return child;
}

/* Warn only if the user asked for statistics or ceilings. */
static void leave_to_race_checker(void)
{
	const char *why = plf_why_unseen();

	if (why == NULL || plf_mode == PLF_MODE_OFF)
		return;
	plf_mode = PLF_MODE_OFF;
	if (getenv("PLAFOND_STATS") != NULL || getenv("PLAFOND_CEILINGS") != NULL)
		plf_warn("%s: all mutexes are left to the C library", why);
}

static void begin(void)
{
	plf_settings_read();
	leave_to_race_checker();
	if (plf_mode != PLF_MODE_OFF && !plf_cond_layout_known()) {
		plf_warn("this C library keeps its condition variables in a way that is not known: "
			 "everything is left to it");
		plf_mode = PLF_MODE_OFF;
	}
	plf_site_start();
	plf_stats_start(getenv("PLAFOND_STATS"));
	plf_ceilings_start(getenv("PLAFOND_CEILINGS"));
	plf_learn_start(getenv("PLAFOND_LEARN"));
	if (plf_mode == PLF_MODE_OFF)
		plf_ceilings_at_locks = false;
	if (plf_learning || plf_ceilings_at_locks)
		plf_see_locks();
	at_quick_exit(plf_process_end);
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void plf_process_begin(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, begin);
}

__attribute__((constructor)) static void start(void)
{
	plf_own_calls_find();
	plf_mutex_calls_find();
	plf_libc_find_all();
	plf_cond_libc_find_all();
	plf_process_begin();
	if (plf_mode != PLF_MODE_OFF)
		plf_doors_shut();
}

void plf_process_end(void)
{
	plf_stats_write(plf_mode_name(), plf_claims_were_used() ? "module" : "user");
	if (plf_learning)
		plf_learn_write();
	plf_ceilings_end();
}

/* The process ends in good order, so the loader may be locked to look up symbols. */
__attribute__((destructor)) static void end(void)
{
	if (plf_learning)
		plf_learn_find_symbols();
	plf_process_end();
}
