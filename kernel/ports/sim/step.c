/* SPDX-License-Identifier: MIT */
/*
 * The host's processor runs user code under its trap flag, and traps before each instruction.
 * The instructions of the kernel and of the simulated processor are not counted.
 */
#include "processor.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { TRAP_FLAG = 0x100 };

static bool is_stepping;
static bool is_counting; /* up to the end of the run */
static uint64_t steps;
static unsigned next_by_step;

/*
 * Runs on the stack of the task, so another task may run before it returns. The host clears the
 * flag for a handler, and sets it again on return.
 */
static void on_step(int signal, siginfo_t *information, void *context)
{
	ucontext_t *user = context;

	(void)signal, (void)information;
	steps++;
	while (next_by_step < plf_by_step.count && plf_by_step.list[next_by_step].at == steps)
		plf_port_raise(plf_by_step.list[next_by_step++].source);
	if (next_by_step == plf_by_step.count && !is_counting) {
		is_stepping = false; /* the last injection came */
		user->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	}
	plf_user_is_at((uintptr_t)user->uc_mcontext.gregs[REG_RIP]);
	plf_take_interrupts();
}

void plf_step_begin(void)
{
	struct sigaction action = { .sa_sigaction = on_step, .sa_flags = SA_NODEFER | SA_SIGINFO };

	is_stepping = true;
	is_counting |= plf_by_step.count == 0;
	sigaction(SIGTRAP, &action, NULL);
}

void plf_step_on(void)
{
	if (is_stepping)
		__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
}

void plf_step_off(void)
{
	if (is_stepping)
		__asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
}

void plf_step_end(void)
{
	if (is_counting)
		fprintf(stderr, "sim: %" PRIu64 " instructions of tasks\n", steps);
}
