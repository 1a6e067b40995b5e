/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "end.h"

#include "../machine/say.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

static const char *short_name(int signal)
{
	const char *name = sigabbrev_np(signal);

	return name != NULL ? name : "?";
}

const char *starvation_of(const struct end *end)
{
	return end->is_starved ? "; another program keeps a CPU from its threads" : "";
}

const char *describe_end(const struct end *end, char text[END_TEXT])
{
	if (end->ending == BY_INTERRUPTION)
		snprintf(text, END_TEXT, "SIG%s", short_name(end->signal));
	else if (end->ending == BY_WATCHDOG)
		snprintf(text, END_TEXT, "watchdog: not finished in time%s", starvation_of(end));
	else if (end->ending == BY_BLINDNESS)
		snprintf(text, END_TEXT, "its supervisor could not wait for signals: %s",
			 strerror(end->error));
	else if (end->status < 0)
		snprintf(text, END_TEXT, "its end could not be awaited");
	else if (WIFSIGNALED(end->status))
		snprintf(text, END_TEXT, "killed by SIG%s", short_name(WTERMSIG(end->status)));
	else if (WEXITSTATUS(end->status) != RAN)
		snprintf(text, END_TEXT, "ended with status %d", WEXITSTATUS(end->status));
	else
		return NULL;
	return text;
}

bool was_refused(const struct end *end)
{
	return end->ending == BY_ITSELF && WIFEXITED(end->status) &&
	       WEXITSTATUS(end->status) == REFUSED;
}
