/* SPDX-License-Identifier: MIT */
/*
 * Interrupts, and the services that hold interrupts back (OSEK 2.2.3, Sections 6 and 13.3). If the
 * description gives them different priorities, interrupts of category 2 nest (routine.h).
 * Interrupts of category 1, in which the kernel takes no part, also interrupt their routines.
 * Otherwise all wait until the kernel is left.
 *
 * A task holds interrupts back only for itself, because the mask is a part of its registers.
 */
#include "interrupt.h"
#include "port.h"
#include "routine.h"
#include "service.h"

enum { MOST_NESTED = 255 };

/* A nested routine decides nothing about tasks, because the end of the outermost routine does. */
static void run_inside(struct plf_core *core, unsigned isr)
{
	plf_run_routine(core, isr);
	if (PLF_ROUTINES_WAIT)
		plf_port_end_interrupt(plf_isr_config[isr].source);
}

void plf_interrupt(unsigned isr)
{
	struct plf_core *core = plf_this_core();

	if (PLF_NESTING && core->place == PLF_IN_ISR) {
		run_inside(core, isr);
		return;
	}
	plf_begin_interrupt(core);
	if (PLF_ROUTINES_WAIT)
		plf_let_wait(core, isr);
	else
		plf_run_routine(core, isr);
	plf_end_interrupt(core);
}

/*
 * The kernel notes the place only to refuse services. A system without category 1 has no such code.
 */
void plf_interrupt_beside(unsigned isr)
{
	struct plf_core *core = plf_this_core();
	uint16_t place = core->place;

	core->place = PLF_IN_CATEGORY_1;
	plf_isr_config[isr].handler();
	core->place = place;
}

/* NULL: the caller is a hook, in which interrupts are held back anyway. */
static struct plf_masks *masks_of_caller(struct plf_core *core)
{
	if (core->place == PLF_IN_TASK)
		return &core->running->masks;
	if (PLF_ROUTINES_ARE_CHECKED && core->place == PLF_IN_ISR)
		return plf_masks_of_routine(core);
	return NULL;
}

/* For an interrupt's routine, the mask is applied when the kernel is left: see plf_let_nest(). */
static void apply(struct plf_core *core)
{
	struct plf_task *task = core->running;
	bool masked;

	if (PLF_ROUTINES_ARE_CHECKED && core->place != PLF_IN_TASK)
		return;
	masked = plf_hold_back(&task->masks);
	if (PLF_CATEGORY_1)
		plf_port_mask_beside(task->masks.disabled || task->masks.suspended_all);
	if (masked != task->masked) {
		task->masked = masked;
		plf_port_mask(masked);
		plf_show_masked(core, masked);
		plf_masks_changed(core);
	}
	if (PLF_LOCK_BUDGETS)
		plf_set_locks(core);
}

static struct plf_result disable(struct plf_core *core, bool disabled)
{
	struct plf_masks *masks = masks_of_caller(core);

	if (masks) {
		masks->disabled = disabled;
		apply(core);
	}
	return plf_status(E_OK);
}

struct plf_result plf_disable_all(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	return disable(core, true);
}

struct plf_result plf_enable_all(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	return disable(core, false);
}

/*
 * Suspends beyond MOST_NESTED do not count. A resume without a suspend does nothing (SWS_Os_00092).
 */
static struct plf_result suspend(struct plf_core *core, uint8_t *count)
{
	if (*count < MOST_NESTED)
		++*count;
	apply(core);
	return plf_status(E_OK);
}

static struct plf_result resume(struct plf_core *core, uint8_t *count)
{
	if (*count > 0)
		--*count;
	apply(core);
	return plf_status(E_OK);
}

struct plf_result plf_suspend_all(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_masks *masks = masks_of_caller(core);

	return masks ? suspend(core, &masks->suspended_all) : plf_status(E_OK);
}

struct plf_result plf_resume_all(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_masks *masks = masks_of_caller(core);

	return masks ? resume(core, &masks->suspended_all) : plf_status(E_OK);
}

struct plf_result plf_suspend_os(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_masks *masks = masks_of_caller(core);

	return masks ? suspend(core, &masks->suspended_os) : plf_status(E_OK);
}

struct plf_result plf_resume_os(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_masks *masks = masks_of_caller(core);

	return masks ? resume(core, &masks->suspended_os) : plf_status(E_OK);
}
