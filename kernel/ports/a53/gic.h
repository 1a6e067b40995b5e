/* SPDX-License-Identifier: MIT */
#ifndef PLF_GIC_H
#define PLF_GIC_H

/*
 * The interrupt controller: Arm GICv3, a single security state.
 *
 * A level of kernel/config.h is a priority: 31 levels in the five bits that every GICv3 has. No
 * source has level 0, at which nothing is held back. Under the software schedulers all sources have
 * level 1, except sources that nest.
 */
#include "registers.h"
#include "system.h"
#include "timers.h"

#include <stdbool.h>

enum {
	PLF_GIC_NOTIFY = 0,   /* from another core */
	PLF_GIC_TIMER = 27,   /* the virtual timer */
	PLF_GIC_ARRIVAL = 30, /* the physical timer */
	PLF_GIC_SHARED = 32,  /* the first shared source, which is 0 in plf_isr_config */
	PLF_GIC_TASKS = 128,  /* 128 to 255: levels of the hardware scheduler, 32 for each core */
	PLF_GIC_LEVELS = 32,
	PLF_GIC_NONE = 1020, /* acknowledged if no interrupt is pending */
};

/*
 * No source has bit 9 set, so it means that none is pending. Of the sources only levels have bit 7
 * set. So each test takes a single instruction.
 */
enum {
	PLF_GIC_IS_NONE = 1 << 9,
	PLF_GIC_IS_LEVEL = 1 << 7,
};

/* The distributor, in which a bit for each source makes that source pending. */
enum {
	PLF_GICD = 0x08000000,
	PLF_GICD_ISPENDR = PLF_GICD + 0x0200,
};

/* Start the part that all cores share, once; then the part of each core. */
void plf_gic_start(void);
void plf_gic_start_core(unsigned index);

/* Interrupt another core, which then sees all earlier stores. */
void plf_gic_notify(unsigned core);

/* The index in plf_isr_config of the interrupt with this number; false: it has none. */
__attribute__((warn_unused_result)) bool plf_gic_isr(unsigned number, unsigned *isr);

/* Make a shared source pending. */
void plf_gic_raise(unsigned source);

/* Disable a shared source; enable it, and drop an interrupt that was pending before. */
void plf_gic_disable(unsigned source);
void plf_gic_enable(unsigned source);

/* Whether a shared source was acknowledged, and has not ended. */
__attribute__((warn_unused_result)) bool plf_gic_is_active(unsigned source);

/* Group 0, which comes as an FIQ: acknowledge the next interrupt, and end it. */
static inline __attribute__((warn_unused_result)) unsigned plf_gic_acknowledge_first(void)
{
	return (unsigned)PLF_READ("icc_iar0_el1");
}

static inline void plf_gic_end_first(unsigned number)
{
	PLF_WRITE("icc_eoir0_el1", number);
}

/*
 * Acknowledge the next interrupt, first of all a timer that ends budgets. If none is pending, the
 * number is above all sources.
 */
static inline __attribute__((warn_unused_result)) unsigned plf_gic_acknowledge(void)
{
	if (PLF_TIMER_ENDS_BUDGETS && plf_gic_acknowledge_first() < PLF_GIC_NONE)
		return PLF_GIC_TIMER;
	return (unsigned)PLF_READ("icc_iar1_el1");
}

static inline void plf_gic_end(unsigned number)
{
	if (PLF_TIMER_ENDS_BUDGETS && number == PLF_GIC_TIMER)
		plf_gic_end_first(number);
	else if (number < PLF_GIC_NONE)
		PLF_WRITE("icc_eoir1_el1", number);
}

/* A priority of the controller: smaller is more urgent. It is in the upper five of eight bits. */
static inline uint8_t plf_gic_priority(unsigned level)
{
	return (uint8_t)(0xf8 - 8 * level);
}

/* Interrupts that are not above this level stay pending, from the next instruction on. */
static inline void plf_gic_hold_back(unsigned level)
{
	PLF_WRITE("icc_pmr_el1", plf_gic_priority(level));
}

/* The word of GICD_ISPENDR with a bit for each level of a core. */
static inline uintptr_t plf_gic_levels_of(unsigned core)
{
	return PLF_GICD_ISPENDR + 4 * (PLF_GIC_TASKS / 32 + core);
}

#endif
