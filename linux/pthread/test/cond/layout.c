/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * If a C library keeps its condition variables in another way, everything is left to it, and that
 * is reported. This program replaces functions of that library, and runs itself with each
 * difference.
 */
#include "ours.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { CALLS = 4, TEXT = 256 }; /* each pair of attributes is checked once */

static const char report[] = "keeps its condition variables in a way that is not known";

/* DIFFERENT: the kind of difference, and the number of the call with it. */
static const char *const kinds[] = { "state",	   "word",	"untouched",	"refusal",
				     "attributes", "the clock", "the processes" };
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static bool is_different(const char *what, int call)
{
	const char *different = getenv("DIFFERENT");
	char now[TEXT];

	snprintf(now, sizeof(now), "%s %d", what, call);
	return different != NULL && strcmp(different, now) == 0;
}

/* ---- The C library ----------------------------------------------------- */

int pthread_cond_init(pthread_cond_t *restrict cond, const pthread_condattr_t *restrict attr)
{
	static int (*real)(pthread_cond_t *, const pthread_condattr_t *);
	static int call;
	pthread_cond_t before = *cond;
	unsigned *words = (unsigned *)(void *)cond;
	int error;

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "pthread_cond_init");
	error = real(cond, attr);
	if (is_different("state", call))
		cond->__data.__wrefs ^= 1;
	if (is_different("word", call))
		words[sizeof(*cond) / sizeof(words[0]) - 1] = 1;
	if (is_different("untouched", call))
		memcpy(words, &before, sizeof(words[0]));
	if (is_different("refusal", call))
		error = ENOMEM;
	call++;
	return error;
}

#define REAL(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

int pthread_condattr_init(pthread_condattr_t *attr)
{
	static int call;
	int error = REAL(pthread_condattr_init)(attr);

	return is_different("attributes", call++) ? ENOMEM : error;
}

int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock)
{
	static int call;
	int error = REAL(pthread_condattr_setclock)(attr, clock);

	return is_different("the clock", call++) ? EINVAL : error;
}

int pthread_condattr_setpshared(pthread_condattr_t *attr, int shared)
{
	static int call;
	int error = REAL(pthread_condattr_setpshared)(attr, shared);

	return is_different("the processes", call++) ? EINVAL : error;
}

/* ---- A program on it --------------------------------------------------- */

static void become_one_on(void *different)
{
	setenv("DIFFERENT", different, 1);
	execl("/proc/self/exe", "layout", "program", NULL);
	_exit(1);
}

/* The drop-in's output in that case. */
static void run_with(const char *different, char said[TEXT])
{
	FILE *errors = tmpfile();
	int own = dup(STDERR_FILENO);
	size_t length;

	assert_non_null(errors);
	assert_true(dup2(fileno(errors), STDERR_FILENO) >= 0);
	assert_int_equal(in_child(become_one_on, (void *)(uintptr_t)different), 0);
	assert_true(dup2(own, STDERR_FILENO) >= 0);
	close(own);
	rewind(errors);
	length = fread(said, 1, TEXT - 1, errors);
	said[length] = '\0';
	fclose(errors);
}

static void what_is_different_is_seen(void **state)
{
	char different[TEXT], said[TEXT];

	UNUSED(state);
	for (size_t what = 0; what < KINDS; what++) {
		for (int call = 0; call < CALLS; call++) {
			snprintf(different, sizeof(different), "%s %d", kinds[what], call);
			run_with(different, said);
			if (are_ours() != (strstr(said, report) != NULL))
				fail_msg("%s: %s", different, said);
		}
	}
}

static void what_is_not_is_no_reason(void **state)
{
	char said[TEXT];

	UNUSED(state);
	run_with("nothing", said);
	assert_string_equal(said, "");
}

/* In mode off the drop-in leaves everything to the C library, so it does not look. */
static void what_is_different_is_none_of_its_business_when_it_is_off(void **state)
{
	const char *mode = getenv("PLAFOND_MODE");
	char own[TEXT], said[TEXT];

	UNUSED(state);
	snprintf(own, sizeof(own), "%s", mode == NULL ? "lazy" : mode);
	setenv("PLAFOND_MODE", "off", 1);
	run_with("state 0", said);
	setenv("PLAFOND_MODE", own, 1);
	assert_string_equal(said, "");
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(what_is_different_is_seen),
		team_test(what_is_not_is_no_reason),
		team_test(what_is_different_is_none_of_its_business_when_it_is_off),
	};

	return cmocka_run_group_tests_name("layout", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "program") == 0)
		return 0;
	return run_team(argc, argv, tests);
}
