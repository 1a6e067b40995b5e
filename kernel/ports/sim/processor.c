/* SPDX-License-Identifier: MIT */
/* See processor.h. */
#include "processor.h"

#include "controller.h"
#include "ending.h"
#include "os_calls.h"
#include "user/plf_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK_BYTES = 1 << 18, NEVER_ENDS = 124 };

static ucontext_t hardware; /* context in which no task runs */
static ucontext_t coroutines[PLF_TASKS];
static uint64_t left_ns[PLF_TASKS]; /* rest of its plf_spend(); 0: it executes code */

static uint64_t now_ns; /* the clock of all cores */
static unsigned next_by_time;

static struct {
	ucontext_t start; /* context of plf_start() */
	enum { OFF, STARTS, RUNS } state;
	struct plf_task *loaded;
} cores[PLF_CPUS];
static unsigned current; /* the core that executes */
static ucontext_t next_turn;

static struct {
	char text[256];
	size_t size, taken;
} came_in; /* input of the console */

struct plf_injections plf_by_time, plf_by_step;

/* ---- Functions of port.h ----------------------------------------------- */

uint64_t plf_port_now_ns(void)
{
	return now_ns;
}

struct plf_core *plf_port_this_core(void)
{
	return &plf_cores[current];
}

unsigned plf_current_core(void)
{
	return current;
}

struct plf_page *plf_page_of_core(void)
{
	return current == 0 ? &plf_page : &plf_other_pages[current];
}

#if PLF_GLOBAL_IN_USER_MODE
static struct plf_global_words global_words[PLF_TASKS][PLF_GLOBALS];

struct plf_global_words *plf_global_words_of_task(unsigned task)
{
	return global_words[task];
}

static void fill_globals(void)
{
	for (unsigned task = 0; task < PLF_TASKS; task++)
		for (unsigned global = 0; global < PLF_GLOBALS; global++) {
			struct plf_global_words *own = &global_words[task][global];

			if (!plf_is_global_user(task, global))
				continue;
			own->bit = plf_global_mark(task, global);
			own->beside = plf_global_beside(task, global);
		}
}
#else
static void fill_globals(void)
{
}
#endif

/* Nothing to do, because task_state() looks at the masks when interrupts are taken. */
void plf_port_mask(bool masked)
{
	(void)masked;
}

void plf_port_mask_beside(bool masked)
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

void plf_receive(void)
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

/* The trap, for tasks. */
struct plf_result plf_user_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number);

/* ---- Coroutines --------------------------------------------------------- */

static void begin(void)
{
	plf_take_interrupts();
	plf_step_on();
	cores[current].loaded->config->entry();
	(void)plf_user_call(0, 0, 0, PLF_CALL_MISSING_TERMINATE);
}

static void *new_stack(void)
{
	void *stack =
		mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (stack == MAP_FAILED) {
		perror("no stack");
		exit(EXIT_FAILURE);
	}
	return stack;
}

static void make_coroutine(ucontext_t *coroutine, void *stack, void (*entry)(void))
{
	getcontext(coroutine);
	coroutine->uc_stack.ss_sp = stack;
	coroutine->uc_stack.ss_size = STACK_BYTES;
	makecontext(coroutine, entry, 0);
}

static void *stack_of(unsigned index)
{
	static void *stacks[PLF_TASKS];

	if (!stacks[index])
		stacks[index] = new_stack();
	return stacks[index];
}

/* No memory is protected, but each task has a separate stack. */
unsigned plf_port_access_of(const struct plf_task *task, uintptr_t address, uintptr_t size)
{
	uintptr_t low = (uintptr_t)stack_of(task->index);
	bool is_stack = address >= low && address + (size - 1) < low + STACK_BYTES;

	return PLF_IS_READABLE | PLF_IS_WRITEABLE | PLF_IS_EXECUTABLE |
	       (is_stack ? PLF_IS_STACKSPACE : 0u);
}

/* Run the task until the kernel chooses another task or none, or another core has its turn. */
static void run(struct plf_task *task)
{
	ucontext_t *coroutine = &coroutines[task->index];

	cores[current].loaded = task;
	if (!task->context->has_begun) {
		task->context->has_begun = true;
		make_coroutine(coroutine, stack_of(task->index), begin);
	}
	swapcontext(&hardware, coroutine);
}

static void give_turn(void)
{
	swapcontext(&coroutines[cores[current].loaded->index], &hardware);
}

/*
 * The exit of the kernel, on the stack of the loaded task. If its activation ended, the context
 * that is saved here is never continued, because the task begins anew.
 */
static void leave_kernel(void)
{
	const struct plf_task *me = cores[current].loaded;

	if (plf_cores[current].running != me || !me->context->has_begun)
		give_turn();
}

/* ---- Time and interrupts ------------------------------------------------ */

static uint64_t least(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

static enum plf_task_state task_state(void)
{
	const struct plf_task *task = plf_cores[current].running;

	if (!task)
		return PLF_LETS_THROUGH;
	return (task->masked ? PLF_MASKS : 0) | (left_ns[task->index] ? 0 : PLF_WORKS) |
	       (task->masks.disabled || task->masks.suspended_all ? PLF_MASKS_ALL : 0);
}

static void raise_by_time(void)
{
	while (next_by_time < plf_by_time.count && plf_by_time.list[next_by_time].at <= now_ns)
		plf_port_raise(plf_by_time.list[next_by_time++].source);
}

void plf_take_interrupts(void)
{
	raise_by_time();
	while (plf_controller_interrupts(task_state())) {
		leave_kernel();
		raise_by_time();
	}
}

void plf_user_is_at(uintptr_t address)
{
	plf_note_place(cores[current].loaded->index, address);
}

uint64_t plf_user_now_ns(void)
{
	return now_ns;
}

void plf_spend(uint64_t duration_ns)
{
	plf_step_off();
	plf_user_is_at((uintptr_t)__builtin_return_address(0) - 1);
	left_ns[cores[current].loaded->index] = duration_ns;
	give_turn();
	plf_step_on();
}

/* With several cores each call ends the turn. */
struct plf_result plf_user_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number)
{
	struct plf_result result;

	plf_step_off();
	plf_user_is_at((uintptr_t)__builtin_return_address(0) - 1);
	result = plf_system_call(a, b, c, number);
	leave_kernel();
	plf_take_interrupts();
	if (PLF_CPUS > 1)
		give_turn();
	plf_step_on();
	return result;
}

#if PLF_PROTECTED_FUNCTIONS
/* The frames are the host's, on the stack of the coroutine, because no memory is protected. */
struct plf_result plf_call_function(uintptr_t function, uintptr_t a, uintptr_t b, uintptr_t c,
				    uintptr_t d)
{
	const struct plf_task *task = cores[current].loaded;
	uint8_t before = task->context->domain[0];
	uint8_t callee = 0;
	uint64_t value;

	plf_step_off();
	plf_user_is_at((uintptr_t)__builtin_return_address(0) - 1);
	if (function < PLF_PROTECTED_FUNCTIONS && !task->masked)
		callee = plf_domain_config[before].to[function];
	if (!callee)
		return plf_user_call(function, 0, 0, PLF_CALL_CALL_NON_TRUSTED_FUNCTION);
	task->context->domain[0] = callee;
	plf_step_on();
	value = plf_protected_functions[function](a, b, c, d);
	plf_step_off();
	task->context->domain[0] = before;
	plf_step_on();
	return (struct plf_result) { .status = E_OK, .value = value };
}
#endif

/* ---- The cores in turn ----------------------------------------------------- */

_Noreturn void plf_port_enter(void)
{
	cores[current].state = RUNS;
	setcontext(&next_turn);
	abort();
}

_Noreturn void plf_port_halt(void)
{
	cores[current].state = OFF;
	setcontext(&next_turn);
	abort();
}

static void start(void)
{
	if (PLF_HAS_MAIN)
		plf_begin();
	plf_start();
	plf_port_enter();
}

/* Only cores that start wait for each other. */
void plf_port_wait_a_little(void)
{
	swapcontext(&cores[current].start, &hardware);
}

void plf_port_start_core(unsigned core)
{
	plf_controller_start(core);
	make_coroutine(&cores[core].start, new_stack(), start);
	cores[core].state = STARTS;
}

/*
 * A turn of the core, in which no time passes: an interrupt, or user code up to the end of its
 * turn.
 */
static bool work(void)
{
	struct plf_task *task = plf_cores[current].running;

	if (cores[current].state == OFF)
		return false;
	if (cores[current].state == STARTS) {
		swapcontext(&hardware, &cores[current].start);
		return true;
	}
	if (!task)
		plf_idle();
	else if (!task->context->has_begun)
		left_ns[task->index] = 0; /* its last activation may have ended in plf_spend() */
	raise_by_time();
	if (plf_controller_interrupts(task_state()))
		return true;
	if (!task || left_ns[task->index] > 0)
		return false;
	run(task);
	return true;
}

/*
 * The next time at which the core has something to do; UINT64_MAX: never, unless another core acts.
 */
static uint64_t next_on_core_ns(void)
{
	const struct plf_task *task = plf_cores[current].running;
	uint64_t interrupt_ns = plf_controller_next_ns(task_state());

	if (cores[current].state == OFF)
		return UINT64_MAX;
	return task ? least(interrupt_ns, now_ns + left_ns[task->index]) : interrupt_ns;
}

static uint64_t next_ns(void)
{
	uint64_t first_ns = UINT64_MAX;

	if (next_by_time < plf_by_time.count)
		first_ns = plf_by_time.list[next_by_time].at;
	for (current = 0; current < PLF_CPUS; current++)
		first_ns = least(first_ns, next_on_core_ns());
	return first_ns;
}

/* Advance the clock, when every core spends its time or has nothing to do. */
static void let_time_pass(void)
{
	uint64_t until_ns = next_ns();

	if (until_ns == UINT64_MAX) {
		fputs("sim: nothing runs, and nothing will ever come\n", stderr);
		plf_port_end(NEVER_ENDS);
	}
	for (unsigned core = 0; core < PLF_CPUS; core++)
		if (cores[core].state == RUNS && plf_cores[core].running)
			left_ns[plf_cores[core].running->index] -= until_ns - now_ns;
	now_ns = until_ns;
	raise_by_time();
}

_Noreturn void plf_processor(void)
{
	plf_note_signals();
	plf_prepare();
	/* Once is enough, because nothing ends a task in a call here. */
	for (unsigned task = 0; PLF_PROTECTED_FUNCTIONS && task < PLF_TASKS; task++)
		plf_tasks[task].context->domain[0] = (uint8_t)task;
	fill_globals();
	plf_port_start_core(0);
	getcontext(&next_turn); /* also continues here for a core that stopped in the middle of its
				 * turn */
	for (;;) {
		bool has_worked = false;

		for (current = 0; current < PLF_CPUS; current++)
			has_worked |= work();
		if (!has_worked)
			let_time_pass();
	}
}
