/* SPDX-License-Identifier: MIT */
/* The drop-in around blocking calls. The first argument names the test. */
#define _GNU_SOURCE
#include "stage.h"
#include "tests.h"
#include "underneath.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Constructors have waited before the drop-in had started. */
static void early(void)
{
	check(&early_waits != NULL && early_waits == EARLY_WAITS);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "covered", covered },
	{ "holder", holder },
	{ "cancelled", cancelled },
	{ "yields", yields },
	{ "starts", starts },
	{ "handlers", handlers },
	{ "without-hook", without_hook },
	{ "early", early },
	{ "list", list_calls },
};

/* For sigwait(), in all threads. */
static void block_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	check(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
}

int main(int argc, char **argv)
{
	block_signal();
	only_call = argc > 2 ? argv[2] : NULL;
	for (size_t i = 0; argc > 1 && i < sizeof(tests) / sizeof(tests[0]); i++)
		if (strcmp(argv[1], tests[i].name) == 0)
			return supervise(argv[1], tests[i].run);
	fprintf(stderr, "usage: %s TEST [CALL]\n", argv[0]);
	return 2;
}
