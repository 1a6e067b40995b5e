/* SPDX-License-Identifier: MIT */
/*
 * The port to the Cortex-A53 of QEMU's board `virt`: its start, the tasks' contexts, and
 * the handling of exceptions.
 *
 * plafond runs an image by
 *   qemu-system-aarch64 -M virt,gic-version=3 -cpu cortex-a53,cntfrq=1000000000 -smp CPUS -m 128
 *     -nographic -nodefaults -semihosting-config enable=on,target=native
 *     -icount shift=0,sleep=off -kernel IMAGE </dev/null
 */
#include "port.h"
#include "console.h"
#include "gic.h"
#include "memory.h"
#include "os_calls.h"
#include "plf_port_domain.h"
#include "port_core.h"
#include "registers.h"
#include "serial.h"

#define CHECK_OFFSET(type, member, offset)                                                         \
	_Static_assert(offsetof(type, member) == (offset), "offsets.h: " #member)
#define CHECK_TOP(member, offset)                                                                  \
	CHECK_OFFSET(struct plf_port_core, member, PLF_KERNEL_GUARD + PLF_KERNEL_STACK + (offset))

CHECK_OFFSET(struct plf_core, running, PLF_CORE_RUNNING);
CHECK_OFFSET(struct plf_task, context, PLF_TASK_CONTEXT);
CHECK_OFFSET(struct plf_context, x, PLF_CONTEXT_X);
CHECK_OFFSET(struct plf_context, pc, PLF_CONTEXT_PC);
CHECK_OFFSET(struct plf_context, sp, PLF_CONTEXT_PC + 8);
CHECK_OFFSET(struct plf_context, spsr, PLF_CONTEXT_SPSR);
CHECK_OFFSET(struct plf_context, kind, PLF_CONTEXT_SPSR + PLF_SAVED_SHIFT / 8);
CHECK_OFFSET(struct plf_context, tpidr, PLF_CONTEXT_SPSR + 8);
CHECK_OFFSET(struct plf_context, ttbr0, PLF_CONTEXT_TTBR0);
CHECK_OFFSET(struct plf_context, returned, PLF_CONTEXT_TTBR0 + 8);
CHECK_OFFSET(struct plf_context, entry, PLF_CONTEXT_ENTRY);
CHECK_OFFSET(struct plf_context, stack_top, PLF_CONTEXT_ENTRY + 8);
CHECK_TOP(link, PLF_TOP_LINK);
CHECK_TOP(zero, PLF_TOP_ZEROS);
CHECK_TOP(doors, PLF_TOP_DOORS);
CHECK_TOP(core, PLF_TOP_CORE);
CHECK_TOP(loaded, PLF_TOP_LOADED);
CHECK_TOP(scratch, PLF_TOP_SCRATCH);

_Static_assert(sizeof(struct plf_port_core) == PLF_PORT_CORE, "offsets.h: struct plf_port_core");
_Static_assert(PLF_STATUS_SERVICEID == E_OS_SERVICEID, "offsets.h: E_OS_SERVICEID");

struct plf_port_core plf_port_cores[PLF_CPUS];
uint8_t plf_last_stack[PLF_CPUS][PLF_LAST_STACK] __attribute__((aligned(16)));

/* Exception classes of ESR_EL1 that are memory faults. */
enum {
	CLASS_SHIFT = 26,
	CLASS_FETCH = 0x20,
	CLASS_DATA = 0x24,
};

/* Size of the guard below each stack, which no table maps: link.ld.j2. */
enum { STACK_GUARD = 4096 };

/* vectors.S */
void plf_port_fault(void);
void plf_port_interrupt(void);
void plf_port_idle(void);
_Noreturn void plf_port_trapped(void);
void plf_port_boot(void);
_Noreturn void plf_port_boot_core(unsigned index);
void plf_reset_core(void);

/* ---- From vectors.S ----------------------------------------------------- */

/*
 * Stack monitoring of a data access that failed: whether it was in the guard page below the running
 * task's stack. If the stack pointer has left the stack, the access may be beyond that page.
 */
static bool is_stack_fault(void)
{
	const struct plf_task_config *task = plf_this_core()->running->config;
	uint64_t below = task->stack_low - PLF_READ("far_el1") - 1;
	uint64_t used = task->stack_high - PLF_READ("sp_el0");

	return below < STACK_GUARD || used > task->stack_high - task->stack_low;
}

/* The same for the task's stack in its domain. */
static bool is_stack_fault_inside(void)
{
	const struct plf_task *task = plf_this_core()->running;
	const struct plf_domain_config *domain = &plf_domain_config[plf_port_domain_of(task)];
	uint64_t below = domain->stack_low - PLF_READ("far_el1") - 1;
	uint64_t used = domain->stack_high - PLF_READ("sp_el0");

	return below < STACK_GUARD || used > domain->stack_high - domain->stack_low;
}

static StatusType fault_of(uint64_t class)
{
	if (PLF_STACK_MONITORING && class == CLASS_DATA &&
	    (PLF_PROTECTED_FUNCTIONS ? is_stack_fault_inside() : is_stack_fault()))
		return E_OS_STACKFAULT;
	if (class == CLASS_FETCH || class == CLASS_DATA)
		return E_OS_PROTECTION_MEMORY;
	return E_OS_PROTECTION_EXCEPTION;
}

void plf_port_fault(void)
{
	plf_fault(fault_of(PLF_READ("esr_el1") >> CLASS_SHIFT));
}

void plf_port_serve(unsigned number)
{
	unsigned isr;

	if (number == PLF_GIC_TIMER) {
		PLF_WRITE("cntv_ctl_el0", 0);
		if (PLF_COUNTERS || PLF_TIMER_ENDS_BUDGETS)
			plf_timer();
	} else if (number == PLF_GIC_ARRIVAL) {
		PLF_WRITE("cntp_ctl_el0", 0);
		if (PLF_ARRIVALS)
			plf_arrival();
	} else if (PLF_CPUS > 1 && !PLF_TASKS_ARE_INTERRUPTS && number == PLF_GIC_NOTIFY) {
		plf_notified();
	} else if (plf_gic_isr(number, &isr)) {
		plf_interrupt(isr);
		if (PLF_ROUTINES_WAIT)
			return;
	}
	plf_gic_end(number);
}

/* Category 1 is group 0 of the controller, which is acknowledged separately, and before group 1. */
static bool serve_beside(void)
{
	unsigned number = plf_gic_acknowledge_first();
	unsigned isr;

	if (number >= PLF_GIC_NONE)
		return false;
	if (plf_gic_isr(number, &isr))
		plf_interrupt_beside(isr);
	plf_gic_end_first(number);
	return true;
}

/*
 * Serve a single interrupt, because the next comes by itself. This function must not be inlined. It
 * has two callers: plf_port_idle(), and vectors.S, which calls it again if interrupts nest.
 */
__attribute__((noinline)) void plf_port_interrupt(void)
{
	if (PLF_CATEGORY_1 && serve_beside())
		return;
	if (PLF_TASKS_ARE_INTERRUPTS)
		plf_interrupted();
	else
		plf_port_serve(plf_gic_acknowledge());
}

/* A pending interrupt ends the wait although it is masked. A call then takes it. */
void plf_port_idle(void)
{
	while (!plf_this_core()->running) {
		plf_idle();
		plf_dsb();
		__asm__ volatile("wfi" ::: "memory");
		plf_port_interrupt();
	}
}

/* A second trap, on the way to the end, prints nothing. */
_Noreturn void plf_port_trapped(void)
{
	static bool again;

	if (!again) {
		again = true;
		plf_console_text("plafond: trap in the kernel: ESR ");
		plf_console_hex(PLF_READ("esr_el1"));
		plf_console_text(" ELR ");
		plf_console_hex(PLF_READ("elr_el1"));
		plf_console_text(" FAR ");
		plf_console_hex(PLF_READ("far_el1"));
		plf_console_text("\n");
	}
	plf_console_exit(PLF_EXIT_TRAP);
}

/* ---- The start ---------------------------------------------------------- */

/*
 * User mode can read the clock and the cycle counter, and nothing else of the system: no FP, no
 * timer, no cache maintenance, no DC ZVA, no CTR_EL0, no debug channel, no WFI.
 */
static void confine_user_mode(void)
{
	enum { CNTVCT = 1 << 1, CYCLES_READ = 1 << 2, NO_DEBUG_CHANNEL = 1 << 12 };
	enum { COUNT_64_BITS = 1 << 6, COUNT = 1 << 0 };

	PLF_WRITE("cpacr_el1", 0);
	PLF_WRITE("mdscr_el1", NO_DEBUG_CHANNEL);
	PLF_WRITE("cntkctl_el1", CNTVCT);
	PLF_WRITE("pmcr_el0", COUNT_64_BITS | COUNT);
	PLF_WRITE("pmccfiltr_el0", 0);
	PLF_WRITE("pmcntenset_el0", UINT64_C(1) << 31);
	PLF_WRITE("pmuserenr_el0", CYCLES_READ);
}

/* A task's entry function returns to this function, in user mode. */
__attribute__((section(".plf_user_text"))) static void returned(void)
{
	register uint64_t number __asm__("x4") = PLF_CALL_MISSING_TERMINATE;

	__asm__ volatile("svc #0" ::"r"(number));
	__builtin_unreachable();
}

/* No task has run yet, so all contexts are new. */
static void prepare_contexts(void)
{
	if (PLF_PROTECTED_FUNCTIONS)
		plf_domains_prepare();
	for (unsigned index = 0; index < PLF_TASKS; index++) {
		struct plf_context *context = plf_tasks[index].context;

		context->kind = PLF_SAVED_NONE;
		context->ttbr0 = plf_memory_of_task(index);
		context->returned = (uintptr_t)returned;
		context->entry = (uintptr_t)plf_task_config[index].entry;
		context->stack_top = plf_task_config[index].stack_high;
		if (PLF_PROTECTED_FUNCTIONS)
			plf_forget_calls(&plf_tasks[index]);
	}
}

/* QEMU fails these checks if it runs with other options. */
static void check_machine(void)
{
	enum { EL1 = 1 << 2, BILLION = 1000000000 };

	if (PLF_READ("currentel") != EL1)
		plf_console_fail("entered above EL1: run QEMU without virtualization and secure");
	if (PLF_READ("cntfrq_el0") != BILLION)
		plf_console_fail(
			"a tick is not 1 ns: run QEMU with -cpu cortex-a53,cntfrq=1000000000");
}

/* The part of the start that each core does for itself. */
static void start_core(unsigned index)
{
	struct plf_port_core *core = &plf_port_cores[index];

	core->doors = plf_doors;
	core->core = &plf_cores[index];
	core->loaded = PLF_NO_TASK;
	if (PLF_HAS_MAIN)
		PLF_WRITE("tpidr_el1", &core->link);
	confine_user_mode();
	plf_memory_start(index);
	plf_gic_start_core(index);
}

void plf_port_boot(void)
{
	check_machine();
	plf_memory_prepare();
	plf_gic_start();
	if (PLF_CONSOLE)
		plf_serial_start();
	plf_prepare();
	prepare_contexts();
	start_core(0);
	if (PLF_HAS_MAIN)
		plf_begin();
	plf_start();
}

/* The start of all other cores, by way of plf_reset_core. */
_Noreturn void plf_port_boot_core(unsigned index)
{
	start_core(index);
	plf_begin();
}

/* ---- Other cores: Arm's PSCI (DEN 0022), which the board has at HVC ------------- */

static int64_t ask_firmware(uint64_t function, uint64_t a, uint64_t b, uint64_t c)
{
	register uint64_t x0 __asm__("x0") = function;
	register uint64_t x1 __asm__("x1") = a;
	register uint64_t x2 __asm__("x2") = b;
	register uint64_t x3 __asm__("x3") = c;

	__asm__ volatile("hvc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3)::"memory");
	return (int64_t)x0;
}

void plf_port_start_core(unsigned core)
{
	const uint64_t cpu_on = 0xc4000003;

	plf_dsb();
	if (ask_firmware(cpu_on, core, (uintptr_t)plf_reset_core, core) != 0)
		plf_console_fail("a core does not start: run QEMU with -smp as the description's "
				 "cpus");
}

_Noreturn void plf_port_halt(void)
{
	const uint64_t cpu_off = 0x84000002;

	for (;;)
		(void)ask_firmware(cpu_off, 0, 0, 0);
}

void plf_port_wait_a_little(void)
{
	__asm__ volatile("yield" ::: "memory");
}

void plf_port_notify(unsigned core)
{
	plf_gic_notify(core);
}

/* ---- For the kernel ----------------------------------------------------- */

/* Bits of SPSR_EL1 and DAIF. */
enum { MASK_FIQ = 1 << 6, MASK_IRQ = 1 << 7 };

static void set_mask(uint64_t bit, bool masked)
{
	uint64_t spsr = PLF_READ("spsr_el1");

	PLF_WRITE("spsr_el1", masked ? spsr | bit : spsr & ~bit);
}

void plf_port_mask(bool masked)
{
	set_mask(MASK_IRQ, masked);
}

void plf_port_mask_beside(bool masked)
{
	set_mask(MASK_FIQ, masked);
}

/* Before its next instruction the processor takes pending interrupts that were masked. */
void plf_port_mask_routine(bool masked, bool beside)
{
	enum { MASK_OTHERS = 3 << 8 };
	bool lets_fiq = PLF_CATEGORY_1 && !beside;

	PLF_WRITE("daif", MASK_OTHERS | (masked ? MASK_IRQ : 0) | (lets_fiq ? 0 : MASK_FIQ));
	plf_isb();
}

/*
 * Save ELR_EL1 and SPSR_EL1, because an interrupt that comes into the routine overwrites them. The
 * interrupt of the routine, or its system call, needs them to return.
 */
void plf_port_run_routine(void (*routine)(void))
{
	uint64_t pc = PLF_READ("elr_el1");
	uint64_t state = PLF_READ("spsr_el1");

	plf_port_mask_routine(false, false);
	routine();
	plf_port_mask_routine(true, true);
	PLF_WRITE("elr_el1", pc);
	PLF_WRITE("spsr_el1", state);
}

bool plf_port_may_write(const struct plf_task *task, uintptr_t address, uintptr_t size)
{
	(void)task; /* it runs: its tables are in force */
	return plf_memory_user_may_write(address, size);
}

uint64_t plf_port_now_ns(void)
{
	return PLF_READ("cntvct_el0");
}

void plf_port_set_timer(uint64_t at_ns)
{
	PLF_WRITE("cntv_cval_el0", at_ns);
	PLF_WRITE("cntv_ctl_el0", at_ns != UINT64_MAX);
}

void plf_port_set_arrival(uint64_t at_ns)
{
	PLF_WRITE("cntp_cval_el0", at_ns);
	PLF_WRITE("cntp_ctl_el0", at_ns != UINT64_MAX);
}

void plf_port_raise(uint32_t source)
{
	plf_gic_raise(source);
}

void plf_port_disable(uint32_t source)
{
	plf_gic_disable(source);
}

void plf_port_enable(uint32_t source)
{
	plf_gic_enable(source);
}

bool plf_port_is_active(uint32_t source)
{
	return plf_gic_is_active(source);
}

void plf_port_end_interrupt(uint32_t source)
{
	plf_gic_end(PLF_GIC_SHARED + source);
}

bool plf_port_may_read(const struct plf_task *task, uintptr_t address, uintptr_t size)
{
	(void)task; /* as above */
	return plf_memory_user_may_read(address, size);
}

unsigned plf_port_access_of(const struct plf_task *task, uintptr_t address, uintptr_t size)
{
	const struct plf_task_config *config = task->config;
	bool is_stack = address >= config->stack_low && address + (size - 1) < config->stack_high;

	return plf_memory_access_of(task->index, address, size) |
	       (is_stack ? PLF_IS_STACKSPACE : 0u);
}

/* A run writes its trace without the serial device. */
void plf_port_write(const char *text, size_t size)
{
	if (PLF_CONSOLE && !PLF_TRACE)
		plf_serial_write(text, size);
	else
		plf_console_write(text, size);
}

size_t plf_port_read(char *text, size_t size)
{
	return PLF_CONSOLE ? plf_serial_read(text, size) : 0;
}

_Noreturn void plf_port_end(StatusType status)
{
	plf_console_exit(status);
}
