/* SPDX-License-Identifier: MIT */
/* See processor.h. */
#include "processor.h"

#include "os_calls.h"
#include "user/plf_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK_BYTES = 1 << 18, NEVER_ENDS = 124, CONSOLE_SOURCE = 1 };

static ucontext_t hardware; /* in which no task runs */
static ucontext_t coroutines[PLF_TASKS];
static struct plf_task *loaded;

static uint64_t now_ns;
static uint64_t timer_ns = UINT64_MAX;
static uint64_t arrival_ns = UINT64_MAX;
static uint32_t raised; /* a bit an interrupt of plf_isr_config */
static unsigned next_by_time;

static struct {
	char text[256];
	size_t size, taken;
} came_in; /* at the console */

struct plf_injections plf_by_time, plf_by_step;

/* ---- What the kernel asks of the port ---------------------------------- */

uint64_t plf_port_now_ns(void)
{
	return now_ns;
}

void plf_port_set_timer(uint64_t at_ns)
{
	timer_ns = at_ns;
}

void plf_port_set_arrival(uint64_t at_ns)
{
	arrival_ns = at_ns;
}

/* A source that the description does not name raises no interrupt. */
void plf_port_raise(uint32_t source)
{
	for (unsigned isr = 0; isr < PLF_ISRS; isr++)
		if (plf_isr_config[isr].source == source)
			raised |= 1U << isr;
}

/* Looked at when interrupts are taken. */
void plf_port_mask(bool masked)
{
	(void)masked;
}

bool plf_port_may_write(const struct plf_task *task, uintptr_t address, uintptr_t size)
{
	(void)task, (void)address, (void)size;
	return true;
}

bool plf_port_may_read(const struct plf_task *task, uintptr_t address, uintptr_t size)
{
	(void)task, (void)address, (void)size;
	return true;
}

void plf_port_write(const char *text, size_t size)
{
	fwrite(text, 1, size, stdout);
	if (PLF_CONSOLE)
		fflush(stdout);
}

size_t plf_port_read(char *text, size_t size)
{
	size_t taken = 0;

	while (taken < size && came_in.taken < came_in.size)
		text[taken++] = came_in.text[came_in.taken++];
	return taken;
}

/* The interrupt of the console says that something has come in: so the host is waited for. */
static void receive(void)
{
	ssize_t size;

	if (came_in.taken < came_in.size)
		return;
	size = read(STDIN_FILENO, came_in.text, sizeof(came_in.text));
	came_in.size = size > 0 ? (size_t)size : 0;
	came_in.taken = 0;
}

_Noreturn void plf_port_end(StatusType status)
{
	fflush(stdout);
	plf_step_end();
	_exit(status);
}

/* For the tasks: the trap. */
struct plf_result plf_user_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number);

/* ---- Coroutines --------------------------------------------------------- */

static void begin(void)
{
	plf_take_interrupts();
	plf_step_on();
	loaded->config->entry();
	(void)plf_user_call(0, 0, 0, PLF_CALL_MISSING_TERMINATE);
}

static void *stack_of(unsigned index)
{
	static void *stacks[PLF_TASKS];

	if (!stacks[index])
		stacks[index] = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stacks[index] == MAP_FAILED) {
		perror("no stack for a task");
		exit(EXIT_FAILURE);
	}
	return stacks[index];
}

/* Run the task until the kernel has chosen another one, or none. */
static void run(struct plf_task *task)
{
	ucontext_t *coroutine = &coroutines[task->index];

	loaded = task;
	if (!task->context->has_begun) {
		task->context->has_begun = true;
		getcontext(coroutine);
		coroutine->uc_stack.ss_sp = stack_of(task->index);
		coroutine->uc_stack.ss_size = STACK_BYTES;
		makecontext(coroutine, begin, 0);
	}
	swapcontext(&hardware, coroutine);
}

/*
 * The way out of the kernel, on the stack of the loaded task. If its activation ended, what is
 * saved here is never continued: it begins anew.
 */
static void leave_kernel(void)
{
	struct plf_task *me = loaded;

	if (plf_this_core()->running != me || !me->context->has_begun)
		swapcontext(&coroutines[me->index], &hardware);
}

/* ---- Time and interrupts ------------------------------------------------ */

static uint64_t next_event_ns(void)
{
	uint64_t first_ns = timer_ns < arrival_ns ? timer_ns : arrival_ns;

	if (next_by_time < plf_by_time.count && plf_by_time.list[next_by_time].at < first_ns)
		first_ns = plf_by_time.list[next_by_time].at;
	return first_ns;
}

static void run_isr(void)
{
	unsigned first = (unsigned)__builtin_ctz(raised);

	for (unsigned isr = first + 1; isr < PLF_ISRS; isr++)
		if (raised >> isr & 1 && plf_isr_config[isr].source < plf_isr_config[first].source)
			first = isr;
	raised &= ~(1U << first);
	if (PLF_CONSOLE && plf_isr_config[first].source == CONSOLE_SOURCE)
		receive();
	plf_interrupt(first);
}

/* One interrupt that is due. Of several the board's order: timer, arrivals, sources ascending. */
static bool take_one(void)
{
	while (next_by_time < plf_by_time.count && plf_by_time.list[next_by_time].at <= now_ns)
		plf_port_raise(plf_by_time.list[next_by_time++].source);
	if (PLF_COUNTERS && timer_ns <= now_ns) {
		timer_ns = UINT64_MAX;
		plf_timer();
	} else if (PLF_ARRIVALS && arrival_ns <= now_ns) {
		arrival_ns = UINT64_MAX;
		plf_arrival();
	} else if (raised) {
		run_isr();
	} else {
		return false;
	}
	return true;
}

void plf_take_interrupts(void)
{
	while (!loaded->masked && take_one())
		leave_kernel();
}

static void wait_for_interrupt(void)
{
	plf_idle();
	while (!take_one()) {
		uint64_t next_ns = next_event_ns();

		if (next_ns == UINT64_MAX) {
			fputs("sim: nothing runs, and nothing will ever come\n", stderr);
			plf_port_end(NEVER_ENDS);
		}
		now_ns = next_ns;
	}
}

uint64_t plf_user_now_ns(void)
{
	return now_ns;
}

void plf_spend(uint64_t duration_ns)
{
	plf_step_off();
	for (;;) {
		uint64_t next_ns = next_event_ns();
		uint64_t until_ns = now_ns + duration_ns;

		if (loaded->masked || next_ns > until_ns) {
			now_ns = until_ns;
			break;
		}
		if (next_ns > now_ns) {
			duration_ns -= next_ns - now_ns;
			now_ns = next_ns;
		}
		plf_take_interrupts();
	}
	plf_step_on();
}

struct plf_result plf_user_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number)
{
	struct plf_result result;

	plf_step_off();
	result = plf_system_call(a, b, c, number);
	leave_kernel();
	plf_take_interrupts();
	plf_step_on();
	return result;
}

_Noreturn void plf_processor(void)
{
	plf_start();
	for (;;) {
		struct plf_task *task = plf_this_core()->running;

		if (task)
			run(task);
		else
			wait_for_interrupt();
	}
}
