/* SPDX-License-Identifier: MIT */
/*
 * An image that ends with an error prints the addresses of its calls, for `plafond run --image`.
 * That command finds the line of the first address that is in the application.
 */
#include "ending.h"

#include <execinfo.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

enum { MOST_FRAMES = 32, SIGNAL_STACK_BYTES = 1 << 16 };

static bool is_noted; /* only the first error is printed */
static uintptr_t user_at[PLF_TASKS];

void plf_note_place(unsigned task, uintptr_t address)
{
	user_at[task] = address;
}

/* All frames except the first are return addresses, and the call is before them. */
static void note(const char *by, void *const *frames, int count)
{
	const struct plf_core *core = plf_this_core();
	const struct plf_task *task = core->running;

	if (is_noted)
		return;
	is_noted = true;
	fprintf(stderr, "sim: ended by '%s' in place %u of task '%s' at", by, (unsigned)core->place,
		task ? task->config->name : "");
	for (int frame = 0; frame < count; frame++)
		fprintf(stderr, " %#" PRIxPTR, (uintptr_t)frames[frame] - (frame > 0));
	if (task)
		fprintf(stderr, " %#" PRIxPTR, user_at[task->index]);
	fputc('\n', stderr);
}

void plf_port_note_end(StatusType status, const char *service)
{
	if (status != E_OK)
		note(service, NULL, 0);
}

/* Returns to the instruction that raised the signal, which now ends the process. */
static void on_signal(int signal, siginfo_t *information, void *context)
{
	const ucontext_t *interrupted = context;
	void *frames[MOST_FRAMES];
	int count = backtrace(frames, MOST_FRAMES);

	(void)signal, (void)information;
	frames[0] = (void *)interrupted->uc_mcontext.gregs[REG_RIP]; /* in place of this handler */
	note("", frames, count);
}

void plf_note_signals(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	static char stack[SIGNAL_STACK_BYTES];
	static const stack_t own = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_sigaction = on_signal,
				    .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND) };

	sigaltstack(&own, NULL);
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
}
