/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "part.h"
#include "../../../real_time/test/patience.h"
#include "module.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

char stats_path[64];

void become_part(void)
{
	plf_end_if_hung();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

pid_t start_part(char *const arguments[], const char *name, const char *value)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child > 0)
		return child;
	become_part();
	if (value == NULL)
		unsetenv(name);
	else
		setenv(name, value, 1);
	execv("/proc/self/exe", arguments);
	_exit(127);
}

int status_of_part(const char *part, const char *detail, const char *name, const char *value)
{
	char *arguments[] = { (char *)"with_module", (char *)part, (char *)detail, NULL };
	int status;

	snprintf(stats_path, sizeof(stats_path), "/tmp/with_module.%d", getpid());
	unlink(stats_path);
	setenv("PLAFOND_STATS", stats_path, 1);
	status = status_of(start_part(arguments, name, value));
	unsetenv("PLAFOND_STATS");
	return status;
}

void run_part(const char *part, const char *detail)
{
	assert_int_equal(status_of_part(part, detail, "PLAFOND_BACKEND", "module"), 0);
}

static const char *statistics(const char *path)
{
	static char text[2048];
	FILE *file = fopen(path, "re");
	size_t size;

	assert_non_null(file);
	size = fread(text, 1, sizeof(text) - 1, file);
	text[size] = 0;
	fclose(file);
	unlink(path);
	return text;
}

static long count_of(const char *text, const char *object, const char *name)
{
	char wanted[64];
	const char *found;

	snprintf(wanted, sizeof(wanted), "\"%s\": {", object);
	found = strstr(text, wanted);
	assert_non_null(found);
	snprintf(wanted, sizeof(wanted), "\"%s\": ", name);
	found = strstr(found, wanted);
	assert_non_null(found);
	return strtol(found + strlen(wanted), NULL, 10);
}

void expect_statistics(const char *path, const char *backend, long lazy, long eager)
{
	const char *text = statistics(path);
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "\"backend\": \"%s\"", backend);
	assert_non_null(strstr(text, wanted));
	assert_int_equal(count_of(text, "locks", "lazy"), lazy);
	assert_int_equal(count_of(text, "locks", "eager"), eager);
	assert_int_equal(count_of(text, "eager_because", "depth"), 0);
}
