/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include "kernel_calls.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/rseq.h>

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

void plf_settings_read(void)
{
	read_mode(getenv("PLAFOND_MODE"));
	read_robust(getenv("PLAFOND_ROBUST"));
	can_restart = plf_kernel_register_restarts();
}

void plf_settings_after_fork(void)
{
	can_restart = can_restart && plf_kernel_register_restarts();
}

const char *plf_mode_name(void)
{
	return mode_names[plf_mode];
}
