/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "process.h"

#include "ceilings.h"
#include "claims.h"
#include "cond.h"
#include "kernel_calls.h"
#include "learn.h"
#include "libc.h"
#include "member.h"
#include "report.h"
#include "section.h"
#include "site.h"
#include "stats.h"

#include <stdlib.h>
#include <string.h>

enum plf_mode plf_mode;
bool plf_robust_allowed;
static bool can_restart;

static const char *const mode_names[] = {
	[PLF_MODE_LAZY] = "lazy",
	[PLF_MODE_EAGER] = "eager",
	[PLF_MODE_OFF] = "off",
};

bool plf_has_sequences(void)
{
	return can_restart && __rseq_size != 0;
}

static void read_mode(const char *name)
{
	if (name == NULL || name[0] == 0)
		return;
	for (size_t i = 0; i < sizeof(mode_names) / sizeof(mode_names[0]); i++)
		if (strcmp(name, mode_names[i]) == 0) {
			plf_mode = (enum plf_mode)i;
			return;
		}
	plf_warn("PLAFOND_MODE=%s: expected lazy, eager or off: taken as lazy", name);
}

static void read_robust(const char *value)
{
	plf_robust_allowed = value != NULL && strcmp(value, "1") == 0;
	if (!plf_robust_allowed && value != NULL && value[0] != 0 && strcmp(value, "0") != 0)
		plf_warn("PLAFOND_ROBUST=%s: expected 0 or 1: taken as 0", value);
}

static void before_fork(void)
{
	plf_sections_before_fork();
	plf_registry_lock();
}

static void after_fork_in_parent(void)
{
	plf_registry_unlock();
}

static void after_fork_in_child(void)
{
	can_restart = can_restart && plf_kernel_register_restarts();
	plf_members_after_fork();
	plf_conds_after_fork();
	plf_stats_after_fork();
	plf_learn_after_fork();
	plf_ceilings_after_fork();
	plf_registry_unlock();
}

static void begin(void)
{
	read_mode(getenv("PLAFOND_MODE"));
	read_robust(getenv("PLAFOND_ROBUST"));
	if (plf_mode != PLF_MODE_OFF && !plf_cond_layout_known()) {
		plf_warn("this C library keeps its condition variables in a way that is not known: "
			 "everything is left to it");
		plf_mode = PLF_MODE_OFF;
	}
	can_restart = plf_kernel_register_restarts();
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
	plf_stats_write(mode_names[plf_mode], plf_claims_were_used() ? "module" : "user");
	plf_learn_write();
	plf_ceilings_end();
}

/* Where the process ends in good order, symbols can be looked for: the loader may be locked. */
__attribute__((destructor)) static void end(void)
{
	plf_learn_find_symbols();
	plf_process_end();
}
