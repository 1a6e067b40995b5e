/* SPDX-License-Identifier: MIT */
/* The command line of an image for the simulated processor. */
#include "processor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REFUSED = 2 };

static const char usage[] =
	"usage: %s [--at NS:SOURCE]... [--step N:SOURCE]...\n"
	"Run the system. At a virtual time, or before the Nth instruction of its tasks (1, 2, "
	"...),\n"
	"the interrupt of a source comes. Times and steps ascend. --step 0 counts: at the end it\n"
	"prints how many instructions there were.\n";

static _Noreturn void refuse(const char *program, const char *text)
{
	fprintf(stderr, "%s: found '%s'; expected NUMBER:SOURCE, ascending, at most %d\n", program,
		text, PLF_MOST_INJECTIONS);
	exit(REFUSED);
}

static void add(struct plf_injections *injections, const char *program, const char *text)
{
	struct plf_injection *last = &injections->list[injections->count];
	unsigned long long at, source;
	char *end;

	errno = 0;
	at = strtoull(text, &end, 10);
	if (errno || end == text || *end != ':' || injections->count == PLF_MOST_INJECTIONS)
		refuse(program, text);
	source = strtoull(end + 1, &end, 10);
	if (errno || *end || source > UINT32_MAX || (injections->count && at < last[-1].at))
		refuse(program, text);
	*last = (struct plf_injection) { .at = at, .source = (uint32_t)source };
	injections->count++;
}

int main(int count, char **arguments)
{
	for (int i = 1; i < count; i += 2) {
		const char *value = i + 1 < count ? arguments[i + 1] : NULL;

		if (value && !strcmp(arguments[i], "--at")) {
			add(&plf_by_time, arguments[0], value);
		} else if (value && !strcmp(arguments[i], "--step") && !strcmp(value, "0")) {
			plf_step_begin();
		} else if (value && !strcmp(arguments[i], "--step")) {
			add(&plf_by_step, arguments[0], value);
			plf_step_begin();
		} else {
			fprintf(stderr, usage, arguments[0]);
			return REFUSED;
		}
	}
	plf_processor();
}
