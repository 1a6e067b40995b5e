/* SPDX-License-Identifier: MIT */
/* An interrupt routine that waits for the end of a section: PLF_ROUTINES_WAIT of plf_urgency.h. */
#include "plf_schedule.h"

#include "interrupt.h"
#include "port.h"
#include "routine.h"

static uint8_t waiting[PLF_CPUS]; /* index in plf_isr_config; valid while a routine waits */

static void show_next(struct plf_core *core)
{
	plf_next_changed(core, plf_next_seen(core->running, plf_next_level(core)));
}

/*
 * If interrupts nest, an interrupt above the active interrupt could still come: hold it back, too.
 */
static void hold_back(bool all)
{
	if (PLF_NESTING)
		plf_port_hold_back(all ? PLF_HIGHEST_ROUTINE : 0);
}

void plf_let_wait(struct plf_core *core, unsigned isr)
{
	hold_back(true);
	waiting[plf_index_of(core)] = (uint8_t)isr;
	plf_queue_of(core)->ready |= plf_bit(PLF_LEVEL_OF_INTERRUPTS);
	show_next(core);
}

void plf_drop_waiting(struct plf_core *core, unsigned isr)
{
	if (!plf_routine_waits(core) || waiting[plf_index_of(core)] != isr)
		return;
	plf_queue_of(core)->ready &= ~plf_bit(PLF_LEVEL_OF_INTERRUPTS);
	plf_port_end_interrupt(plf_isr_config[isr].source);
	show_next(core);
}

void plf_serve_waiting(struct plf_core *core)
{
	unsigned isr = waiting[plf_index_of(core)];
	uint16_t place = core->place;

	plf_queue_of(core)->ready &= ~plf_bit(PLF_LEVEL_OF_INTERRUPTS);
	core->place = PLF_IN_ISR;
	hold_back(false);
	plf_run_routine(core, isr);
	core->place = place;
	plf_port_end_interrupt(plf_isr_config[isr].source);
	show_next(core);
}
