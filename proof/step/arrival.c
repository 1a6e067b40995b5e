/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "arrival.h"

#include "raw.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum {
	BREAKPOINT = 0xcc,
	ILLEGAL = 0x06, /* in 64-bit mode; takes ten times as long as a breakpoint */
	TRAP_FLAG = 0x100,
	ARRIVALS = 2,
	PAUSES = 5000, /* some tenths of a millisecond */
};

/* From the linker: the program's text, and the section `shipped` in it. */
extern const uint8_t __executable_start[], etext[], __start_shipped[], __stop_shipped[];

__thread const void *arrival_self;
__thread bool arrival_beside;
static __thread struct trace *tracing;
static __thread uint8_t *stepping_over;
static __thread uint8_t stepped; /* the byte at that address, without breakpoint */

static struct arrival *volatile armed[ARRIVALS];
static uint8_t original[ARRIVALS];

static const struct rseq_cs *sequences;
static size_t sequence_count;
static uintptr_t vdso, vdso_end; /* its text is not writable */

/* The byte that a breakpoint at this address hides, or NULL. */
static const uint8_t *hidden(const uint8_t *address)
{
	for (size_t i = 0; i < ARRIVALS; i++) {
		const struct arrival *arrival = armed[i];

		if (arrival != NULL && arrival->at.address == address)
			return &original[i];
	}
	return NULL;
}

static bool is_armed_at(const uint8_t *address)
{
	return hidden(address) != NULL;
}

/* The byte at this address without breakpoints. */
static uint8_t pristine(const uint8_t *address)
{
	const uint8_t *byte = hidden(address);

	return byte != NULL ? *byte : *address;
}

void arrival_know_sequences(const struct rseq_cs *sequence, size_t count)
{
	sequences = sequence;
	sequence_count = count;
}

/* The sequence that the kernel restarts if it finds a thread at this address, or NULL. */
static const struct rseq_cs *sequence_at(const uint8_t *address)
{
	for (size_t i = 0; i < sequence_count; i++)
		if ((uintptr_t)address - sequences[i].start_ip < sequences[i].post_commit_offset)
			return &sequences[i];
	return NULL;
}

bool is_in_sequence(const uint8_t *address)
{
	return sequence_at(address) != NULL;
}

static uint8_t breakpoint_for(const uint8_t *address)
{
	return is_in_sequence(address) ? ILLEGAL : BREAKPOINT;
}

static void set_breakpoint(uint8_t *address)
{
	*(volatile uint8_t *)address = breakpoint_for(address);
}

void arrival_arm(struct arrival *arrival)
{
	size_t i = armed[0] == NULL ? 0 : 1;

	original[i] = pristine(arrival->at.address);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	armed[i] = arrival;
	arrival->armed = true;
	arrival->happened = false;
	arrival->seen = 0;
	set_breakpoint(arrival->at.address);
}

void arrival_disarm(struct arrival *arrival)
{
	uint8_t *address = arrival->at.address;
	uint8_t byte;

	if (!arrival->armed)
		return;
	byte = pristine(address);
	for (size_t i = 0; i < ARRIVALS; i++)
		if (armed[i] == arrival)
			armed[i] = NULL;
	arrival->armed = false;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!is_armed_at(address))
		*(volatile uint8_t *)address = byte;
}

/* Count the execution. Returns whether the arrival happened and preempted the victim. */
static bool count(struct arrival *arrival)
{
	bool preempted;

	if (arrival->victim != arrival_self || ++arrival->seen != arrival->at.execution)
		return false;
	arrival_disarm(arrival);
	arrival->happened = true;
	preempted = arrival->comes(arrival->argument);
	if (arrival->rest != NULL)
		tracing = arrival->rest;
	return preempted;
}

static void record(uint8_t *address)
{
	if (tracing->count < TRACE_MAX)
		tracing->at[tracing->count++].address = address;
}

/* Go on at this address. Inside a sequence, restore `rseq_cs`, as if there had been no trap. */
static void go_on_at(greg_t *regs, uint8_t *address)
{
	struct rseq *area =
		(struct rseq *)((uintptr_t)__builtin_thread_pointer() + (uintptr_t)__rseq_offset);
	const struct rseq_cs *sequence = sequence_at(address);

	regs[REG_RIP] = (greg_t)address;
	if (sequence != NULL)
		__atomic_store_n(&area->rseq_cs, (uintptr_t)sequence, __ATOMIC_RELAXED);
}

static void begin_anew(greg_t *regs, const struct rseq_cs *sequence)
{
	regs[REG_RIP] = (greg_t)sequence->abort_ip;
	if (tracing != NULL)
		record((uint8_t *)sequence->abort_ip);
}

static bool is_syscall(const uint8_t *address)
{
	return pristine(address) == 0x0f && address[1] == 0x05;
}

/* Execute the call in the handler, so that the breakpoint can stay for others while it blocks. */
static void do_syscall(greg_t *regs)
{
	regs[REG_RAX] = raw_syscall(regs[REG_RAX], regs[REG_RDI], regs[REG_RSI], regs[REG_RDX],
				    regs[REG_R10], regs[REG_R8], regs[REG_R9]);
	regs[REG_RIP] += 2;
}

/*
 * While the breakpoint is removed, a victim on another CPU could slip by. If a victim is about to
 * come, because the caller has just let it go on, let it come first.
 */
static void let_victim_come(const uint8_t *address)
{
	for (int i = 0; i < PAUSES && arrival_beside && is_armed_at(address); i++)
		__builtin_ia32_pause();
}

static void step_over(greg_t *regs, uint8_t *address)
{
	const uint8_t *byte = hidden(address);

	if (byte == NULL) /* another CPU has just removed it */
		return;
	if (is_syscall(address)) {
		do_syscall(regs);
		return;
	}
	stepped = *byte;
	*(volatile uint8_t *)address = stepped;
	stepping_over = address;
	regs[REG_EFL] |= TRAP_FLAG;
}

static void on_breakpoint(greg_t *regs, uint8_t *address)
{
	const struct rseq_cs *sequence = sequence_at(address);
	bool preempted = false;

	regs[REG_RIP] =
		(greg_t)address; /* for a thread that is cancelled here: it is unwound from there */
	for (size_t i = 0; i < ARRIVALS; i++) {
		struct arrival *arrival = armed[i]; /* another CPU's victim may disarm it now */

		if (arrival != NULL && arrival->at.address == address)
			preempted = count(arrival) || preempted;
	}
	if (tracing != NULL)
		regs[REG_EFL] |= TRAP_FLAG;
	go_on_at(regs, address);
	if (preempted && sequence != NULL)
		begin_anew(regs, sequence);
	else if (is_armed_at(address)) {
		let_victim_come(address);
		step_over(regs, address);
	}
}

bool is_inline(const uint8_t *address)
{
	return address >= __start_shipped && address < __stop_shipped;
}

/* Whether threads may arrive at this address: not in the harness, and not in the vDSO. */
static bool is_shipped(const uint8_t *address)
{
	if (address >= __executable_start && address < etext)
		return is_inline(address);
	return (uintptr_t)address < vdso || (uintptr_t)address >= vdso_end;
}

/* A victim on another CPU may come here right now, and disarm the arrival. The thread that looks
 * last sees this. */
static void set_breakpoint_again(uint8_t *address)
{
	if (!is_armed_at(address))
		return;
	set_breakpoint(address);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!is_armed_at(address))
		*(volatile uint8_t *)address = stepped;
}

static void on_step(greg_t *regs, uint8_t *address)
{
	if (stepping_over != NULL) {
		set_breakpoint_again(stepping_over);
		stepping_over = NULL;
	}
	go_on_at(regs, address);
	if (tracing == NULL)
		regs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	else if (is_shipped(address))
		record(address);
}

static void on_trap(int signal, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

	/*
	 * A breakpoint comes as SI_KERNEL. A step comes as TRAP_TRACE, or as TRAP_BRKPT if a
	 * hypervisor has lost the bit of DR6. A step that is taken for a breakpoint would make the
	 * thread go on in the middle of an instruction.
	 */
	if (signal == SIGILL)
		on_breakpoint(regs, info->si_addr);
	else if (info->si_code == SI_KERNEL)
		on_breakpoint(regs, (uint8_t *)regs[REG_RIP] - 1);
	else
		on_step(regs, info->si_addr);
}

static int make_text_writable(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	int error = 0;

	if (maps == NULL)
		return errno;
	while (error == 0 && fgets(line, sizeof(line), maps) != NULL) {
		uintptr_t from, to;
		char perms[5];

		if (sscanf(line, "%lx-%lx %4s", &from, &to, perms) != 3 ||
		    strcmp(perms, "r-xp") != 0)
			continue;
		if (strstr(line, "[vdso]") != NULL) {
			vdso = from;
			vdso_end = to;
			continue;
		}
		if (mprotect((void *)from, to - from, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
			error = errno;
	}
	fclose(maps);
	return error;
}

int arrival_setup(void)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER };

	if (sigaction(SIGTRAP, &action, NULL) != 0 || sigaction(SIGILL, &action, NULL) != 0)
		return errno;
	return make_text_writable();
}

__attribute__((noinline)) void trace_begin(struct trace *trace)
{
	if (trace == NULL)
		return;
	trace->count = 0;
	tracing = trace;
	__asm__ volatile("pushfq; orq %0, (%%rsp); popfq" ::"i"(TRAP_FLAG) : "memory", "cc");
}

/* Number the executions of each address, because a boundary has such a number. */
static void number_executions(struct trace *trace)
{
	for (size_t i = 0; i < trace->count; i++) {
		trace->at[i].execution = 1;
		for (size_t j = 0; j < i; j++)
			trace->at[i].execution += trace->at[j].address == trace->at[i].address;
	}
}

__attribute__((noinline)) void trace_end(void)
{
	if (tracing == NULL)
		return;
	__asm__ volatile("pushfq; andq %0, (%%rsp); popfq" ::"i"(~TRAP_FLAG) : "memory", "cc");
	number_executions(tracing);
	tracing = NULL;
}
