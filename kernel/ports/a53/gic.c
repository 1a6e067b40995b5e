/* SPDX-License-Identifier: MIT */
/* Arm GICv3 (IHI 0069), as QEMU's `virt` has it. */
#include "gic.h"
#include "config.h"
#include "console.h"
#include "serial.h"

/* The distributor. */
enum {
	GICD = PLF_GICD,
	GICD_CTLR = GICD + 0x0000,
	GICD_IGROUPR = GICD + 0x0080,
	GICD_ISENABLER = GICD + 0x0100,
	GICD_ICENABLER = GICD + 0x0180,
	GICD_ICPENDR = GICD + 0x0280,
	GICD_ISACTIVER = GICD + 0x0300,
	GICD_IPRIORITYR = GICD + 0x0400,
	GICD_ICFGR = GICD + 0x0c00,
	GICD_IROUTER = GICD + 0x6000,
	ENABLE_GROUP_0 = 1 << 0,
	ENABLE_GROUP_1 = 1 << 1,
	AFFINITY_ROUTING = 1 << 4,
	WRITE_PENDING = 1u << 31,
};

/*
 * The redistributors. Each core has a frame of control registers, and a frame of its private
 * sources.
 */
enum {
	GICR = 0x080a0000,
	GICR_SIZE = 0x20000,
	GICR_WAKER = 0x0014,
	GICR_IGROUPR0 = 0x10080,
	GICR_ISENABLER0 = 0x10100,
	GICR_IPRIORITYR = 0x10400,
	SLEEP = 1 << 1,
	ASLEEP = 1 << 2,
};

enum {
	SOURCES = 256, /* shared sources of the board */
	NO_ISR = 0xff, /* PLF_ISRS is smaller */
	HAS_GROUP_0 = PLF_TIMER_ENDS_BUDGETS || PLF_CATEGORY_1,
};

static uint8_t isr_of_source[SOURCES];

static void set_bit(uintptr_t array, unsigned number)
{
	uintptr_t word = array + number / 32 * 4;

	plf_device_write(word, plf_device_read(word) | 1u << number % 32);
}

static void set_byte(uintptr_t array, unsigned number, uint8_t value)
{
	*(volatile uint8_t *)(array + number) = value;
}

static void wait_for_distributor(void)
{
	while (plf_device_read(GICD_CTLR) & WRITE_PENDING)
		__asm__ volatile("yield");
}

static void start_distributor(void)
{
	plf_device_write(GICD_CTLR,
			 AFFINITY_ROUTING | ENABLE_GROUP_1 | (HAS_GROUP_0 ? ENABLE_GROUP_0 : 0));
	wait_for_distributor();
}

static void wake_up(uintptr_t redistributor)
{
	uintptr_t waker = redistributor + GICR_WAKER;

	plf_device_write(waker, plf_device_read(waker) & ~(uint32_t)SLEEP);
	while (plf_device_read(waker) & ASLEEP)
		__asm__ volatile("yield");
}

static void start_interface(void)
{
	PLF_WRITE("icc_sre_el1", 1);
	plf_isb();
	plf_gic_hold_back(0);
	PLF_WRITE("icc_ctlr_el1", 0);
	PLF_WRITE("icc_igrpen1_el1", 1);
	if (HAS_GROUP_0)
		PLF_WRITE("icc_igrpen0_el1", 1);
	if (PLF_CATEGORY_1)
		PLF_WRITE("icc_bpr0_el1", 0); /* each higher priority preempts */
	plf_isb();
}

/*
 * Under the software schedulers all sources have level 1, except sources that nest. A timer that
 * ends budgets has level 2.
 */
static unsigned level_of(uint8_t configured)
{
	return PLF_TASKS_ARE_INTERRUPTS || PLF_NESTING ? configured : 1;
}

/*
 * A timer that ends budgets is in group 0, which comes as an FIQ, because no task masks these. It
 * is above all other sources, because a masked source above it would keep it from the core.
 */
static void enable_budget_timer(uintptr_t redistributor)
{
	set_byte(redistributor + GICR_IPRIORITYR, PLF_GIC_TIMER, plf_gic_priority(2));
	set_bit(redistributor + GICR_ISENABLER0, PLF_GIC_TIMER);
}

static void enable_own(uintptr_t redistributor, unsigned number, unsigned level)
{
	set_bit(redistributor + GICR_IGROUPR0, number);
	set_byte(redistributor + GICR_IPRIORITYR, number, plf_gic_priority(level));
	set_bit(redistributor + GICR_ISENABLER0, number);
}

/*
 * Route the source to the core of affinity 0.0.0.N. A pulse stays pending until it is taken. The
 * serial device is not edge-triggered.
 */
static void enable_routed(unsigned number, unsigned core, unsigned level)
{
	enum { EDGE = 2 };

	set_byte(GICD_IPRIORITYR, number, plf_gic_priority(level));
	if (!PLF_CONSOLE || number != PLF_GIC_SHARED + PLF_SERIAL_SOURCE)
		set_bit(GICD_ICFGR, 2 * number + EDGE / 2);
	*(volatile uint64_t *)(uintptr_t)(GICD_IROUTER + 8 * number) = core;
	set_bit(GICD_ISENABLER, number);
}

static void enable_shared(unsigned number, unsigned core, unsigned level)
{
	set_bit(GICD_IGROUPR, number);
	enable_routed(number, core, level);
}

/*
 * Category 1 stays in group 0, which comes as an FIQ, so a task that masks IRQs lets it through. It
 * is above all other sources. Otherwise a source above it, masked or active, would keep it from the
 * core.
 */
static void enable_beside(unsigned number, unsigned core)
{
	enable_routed(number, core, PLF_GIC_LEVELS - 1);
}

/* Enable all levels. A level at which no task begins is never pending. */
static void enable_levels(void)
{
	for (unsigned core = 0; core < PLF_CPUS; core++)
		for (unsigned level = 1; level < PLF_GIC_LEVELS; level++)
			enable_shared(PLF_GIC_TASKS + PLF_GIC_LEVELS * core + level, core, level);
}

/*
 * 31 levels need five bits of priority, and an implementation may have more. The binary point is
 * the least possible, so each level preempts all levels below.
 */
static void start_levels(void)
{
	enum { BITS_SHIFT = 8, BITS_MASK = 7, BITS_NEEDED = 5 };

	if ((PLF_READ("icc_ctlr_el1") >> BITS_SHIFT & BITS_MASK) + 1 < BITS_NEEDED)
		plf_console_fail("the interrupt controller has fewer than 31 levels");
	PLF_WRITE("icc_bpr1_el1", 0);
}

void plf_gic_start(void)
{
	start_distributor();
	for (unsigned source = 0; source < SOURCES; source++)
		isr_of_source[source] = NO_ISR;
	if (PLF_TASKS_ARE_INTERRUPTS)
		enable_levels();
	for (unsigned isr = 0; isr < PLF_ISRS; isr++) {
		uint32_t source = plf_isr_config[isr].source;

		if (source >= SOURCES)
			plf_console_fail("an interrupt source above the board's 255");
		isr_of_source[source] = (uint8_t)isr;
		if (plf_is_category_1(isr))
			enable_beside(PLF_GIC_SHARED + source, plf_isr_config[isr].core);
		else
			enable_shared(PLF_GIC_SHARED + source, plf_isr_config[isr].core,
				      level_of(plf_isr_config[isr].level));
	}
}

void plf_gic_start_core(unsigned index)
{
	uintptr_t redistributor = GICR + index * (uintptr_t)GICR_SIZE;
	const uint8_t *levels = plf_timer_levels[index];

	wake_up(redistributor);
	start_interface();
	if (PLF_TASKS_ARE_INTERRUPTS || PLF_NESTING)
		start_levels();
	if (PLF_TIMER_ENDS_BUDGETS)
		enable_budget_timer(redistributor);
	else
		enable_own(redistributor, PLF_GIC_TIMER, level_of(levels[PLF_TIMER_ALARMS]));
	if (PLF_ARRIVALS)
		enable_own(redistributor, PLF_GIC_ARRIVAL, level_of(levels[PLF_TIMER_ARRIVALS]));
	if (PLF_CPUS > 1 && !PLF_TASKS_ARE_INTERRUPTS)
		enable_own(redistributor, PLF_GIC_NOTIFY, 1);
}

void plf_gic_notify(unsigned core)
{
	plf_dsb();
	PLF_WRITE("icc_sgi1r_el1", UINT64_C(1) << core);
	plf_isb();
}

bool plf_gic_isr(unsigned number, unsigned *isr)
{
	if (number < PLF_GIC_SHARED || number >= PLF_GIC_SHARED + SOURCES)
		return false;
	*isr = isr_of_source[number - PLF_GIC_SHARED];
	return *isr != NO_ISR;
}

/*
 * The interrupt arrives before the caller continues, so it comes at the caller's next instruction.
 */
void plf_gic_raise(unsigned source)
{
	unsigned number = PLF_GIC_SHARED + source;

	if (source >= SOURCES)
		return;
	plf_device_write(PLF_GICD_ISPENDR + number / 32 * 4, 1u << number % 32);
	plf_dsb();
}

/* For arrays in which a bit that is written as 0 changes nothing. */
static void write_bit(uintptr_t array, unsigned number)
{
	plf_device_write(array + number / 32 * 4, 1u << number % 32);
}

void plf_gic_disable(unsigned source)
{
	write_bit(GICD_ICENABLER, PLF_GIC_SHARED + source);
	wait_for_distributor();
}

void plf_gic_enable(unsigned source)
{
	write_bit(GICD_ICPENDR, PLF_GIC_SHARED + source);
	write_bit(GICD_ISENABLER, PLF_GIC_SHARED + source);
	plf_dsb();
}

bool plf_gic_is_active(unsigned source)
{
	unsigned number = PLF_GIC_SHARED + source;

	return plf_device_read(GICD_ISACTIVER + number / 32 * 4) >> number % 32 & 1;
}
