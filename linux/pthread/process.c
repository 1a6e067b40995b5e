/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "process.h"

#include "ceilings.h"
#include "claims.h"
#include "commit.h"
#include "cond_state.h"
#include "learn.h"
#include "learn_report.h"
#include "libc.h"
#include "report.h"
#include "section.h"
#include "settings.h"
#include "settle.h"
#include "site.h"
#include "stats.h"

#include <stdlib.h>

static void before_fork(void)
{
	plf_commit_before_fork();
	plf_registry_lock();
}

static void after_fork_in_parent(void)
{
	plf_registry_unlock();
}

static void after_fork_in_child(void)
{
	plf_settings_after_fork();
	plf_members_after_fork();
	plf_sections_after_fork();
	plf_conds_after_fork();
	plf_stats_after_fork();
	plf_learn_after_fork();
	plf_ceilings_after_fork();
	plf_registry_unlock();
}

static void begin(void)
{
	plf_settings_read();
	if (plf_mode != PLF_MODE_OFF && !plf_cond_layout_known()) {
		plf_warn("this C library keeps its condition variables in a way that is not known: "
			 "everything is left to it");
		plf_mode = PLF_MODE_OFF;
	}
	plf_site_start();
	plf_stats_start(getenv("PLAFOND_STATS"));
	plf_ceilings_start(getenv("PLAFOND_CEILINGS"));
	plf_learn_start(getenv("PLAFOND_LEARN"));
	if (plf_learning)
		plf_watch_plain_mutexes();
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
	plf_libc_find_all();
	plf_process_begin();
}

void plf_process_end(void)
{
	plf_stats_write(plf_mode_name(), plf_claims_were_used() ? "module" : "user");
	if (plf_learning)
		plf_learn_write();
	plf_ceilings_end();
}

/* Where the process ends in good order, symbols can be looked for: the loader may be locked. */
__attribute__((destructor)) static void end(void)
{
	if (plf_learning)
		plf_learn_find_symbols();
	plf_process_end();
}
