/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of category 2, and the services that hold interrupts back (OSEK 2.2.3,
 * Sections 6 and 13.3). Interrupts do not nest.
 *
 * A task holds them back for itself only: the mask is a part of its registers.
 */
#include "interrupt.h"
#include "port.h"
#include "service.h"

enum { MOST_NESTED = 255 };

void plf_interrupt(unsigned isr)
{
	struct plf_core *core = plf_this_core();

	plf_begin_interrupt(core);
	plf_isr_config[isr].handler();
	plf_end_interrupt(core);
}

static void apply(struct plf_task *task)
{
	bool masked = task->disabled || task->suspended_all || task->suspended_os;

	if (masked != task->masked) {
		task->masked = masked;
		plf_port_mask(masked);
		plf_show_masked(plf_this_core(), masked);
		plf_masks_changed(plf_this_core());
	}
}

/* In interrupts and hooks they are held back anyway. */
static struct plf_task *caller(void)
{
	struct plf_core *core = plf_this_core();

	return core->place == PLF_IN_TASK ? core->running : NULL;
}

static struct plf_result disable(bool disabled)
{
	struct plf_task *task = caller();

	if (task) {
		task->disabled = disabled;
		apply(task);
	}
	return plf_status(E_OK);
}

struct plf_result plf_disable_all(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	return disable(true);
}

struct plf_result plf_enable_all(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	return disable(false);
}

/* More than so many in a row are one; a resume without a suspend is nothing (SWS_Os_00092). */
static struct plf_result suspend(uint8_t *count)
{
	if (*count < MOST_NESTED)
		++*count;
	apply(caller());
	return plf_status(E_OK);
}

static struct plf_result resume(uint8_t *count)
{
	if (*count > 0)
		--*count;
	apply(caller());
	return plf_status(E_OK);
}

struct plf_result plf_suspend_all(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_task *task = caller();

	return task ? suspend(&task->suspended_all) : plf_status(E_OK);
}

struct plf_result plf_resume_all(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_task *task = caller();

	return task ? resume(&task->suspended_all) : plf_status(E_OK);
}

struct plf_result plf_suspend_os(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_task *task = caller();

	return task ? suspend(&task->suspended_os) : plf_status(E_OK);
}

struct plf_result plf_resume_os(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_task *task = caller();

	return task ? resume(&task->suspended_os) : plf_status(E_OK);
}
