/* SPDX-License-Identifier: MIT */
#ifndef PLF_GIC_H
#define PLF_GIC_H

/*
 * The interrupt controller: Arm GICv3, one security state.
 *
 * A level of kernel/config.h is a priority: 31 levels in the five bits that every GICv3 has, and
 * level 0, at which nothing is held back and which no source has. Under the software schedulers all
 * sources are of level 1, but those that nest.
 */
#include "registers.h"
#include "system.h"
#include "timers.h"

#include <stdbool.h>

enum {
	PLF_GIC_NOTIFY = 0,   /* of one core by another */
	PLF_GIC_TIMER = 27,   /* the virtual timer's */
	PLF_GIC_ARRIVAL = 30, /* the physical timer's */
	PLF_GIC_SHARED = 32,  /* the first of those that plf_isr_config numbers from 0 */
	PLF_GIC_TASKS = 128,  /* 128 to 255: of the levels, hardware scheduler, 32 a core */
	PLF_GIC_LEVELS = 32,
	PLF_GIC_NONE = 1020, /* what is acknowledged when nothing is there */
};

/*
 * No source has a number of 512 or more; of the others those of levels alone have the second bit.
 * So a decision takes one instruction each.
 */
enum {
	PLF_GIC_IS_NONE = 1 << 9,
	PLF_GIC_IS_LEVEL = 1 << 7,
};

/* The distributor, in which a bit of a register for each source makes it pending. */
enum {
	PLF_GICD = 0x08000000,
	PLF_GICD_ISPENDR = PLF_GICD + 0x0200,
};

/* What the cores share, once; and then what each has of its own. */
void plf_gic_start(void);
void plf_gic_start_core(unsigned index);

/* Interrupt another core. All stores before have arrived when it takes that. */
void plf_gic_notify(unsigned core);

/* The index in plf_isr_config of the interrupt with this number; false: it has none. */
__attribute__((warn_unused_result)) bool plf_gic_isr(unsigned number, unsigned *isr);

/* Make a shared source pending. */
void plf_gic_raise(unsigned source);

/* No interrupt of that source comes; or they come again, but none that was pending. */
void plf_gic_disable(unsigned source);
void plf_gic_enable(unsigned source);

/* Whether a shared source was acknowledged and has not ended. */
__attribute__((warn_unused_result)) bool plf_gic_is_active(unsigned source);

/* Those of group 0, which come as an FIQ: the number of the one to be served, and its end. */
static inline __attribute__((warn_unused_result)) unsigned plf_gic_acknowledge_first(void)
{
	return (unsigned)PLF_READ("icc_iar0_el1");
}

static inline void plf_gic_end_first(unsigned number)
{
	PLF_WRITE("icc_eoir0_el1", number);
}

/* The number of the interrupt to be served; above all sources: none. One of budgets is first. */
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

/* Smaller is more urgent, in the upper five of eight bits. */
static inline uint8_t plf_gic_priority(unsigned level)
{
	return (uint8_t)(0xf8 - 8 * level);
}

/* What is not above this level stays pending. The write is in force for the next instruction. */
static inline void plf_gic_hold_back(unsigned level)
{
	PLF_WRITE("icc_pmr_el1", plf_gic_priority(level));
}

/* The word of GICD_ISPENDR that has a core's levels, a bit each. */
static inline uintptr_t plf_gic_levels_of(unsigned core)
{
	return PLF_GICD_ISPENDR + 4 * (PLF_GIC_TASKS / 32 + core);
}

#endif
