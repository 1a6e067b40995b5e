/* SPDX-License-Identifier: MIT */
#ifndef PLF_GIC_H
#define PLF_GIC_H

/* The interrupt controller: Arm GICv3, one security state, all sources of one priority. */
#include "registers.h"

#include <stdbool.h>

enum {
	PLF_GIC_NOTIFY = 0,   /* of one core by another */
	PLF_GIC_TIMER = 27,   /* the virtual timer's */
	PLF_GIC_ARRIVAL = 30, /* the physical timer's */
	PLF_GIC_SHARED = 32,  /* the first of those that plf_isr_config numbers from 0 */
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

/* The number of the interrupt to be served; above all sources: none. */
static inline __attribute__((warn_unused_result)) unsigned plf_gic_acknowledge(void)
{
	return (unsigned)PLF_READ("icc_iar1_el1");
}

static inline void plf_gic_end(unsigned number)
{
	enum { NONE = 1020 };

	if (number < NONE)
		PLF_WRITE("icc_eoir1_el1", number);
}

#endif
