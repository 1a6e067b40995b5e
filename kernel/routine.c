/* SPDX-License-Identifier: MIT */
/* See routine.h. */
#include "routine.h"
#include "cores.h"
#include "plf_elsewhere.h"
#include "service.h"

static struct plf_routine {
	struct plf_masks masks;
	uint8_t number; /* with PLF_ROUTINES_ARE_KNOWN: 1 + the routine that runs; 0: none */
	uint8_t top;	/* 1 + the resource entered last; 0: none is held */
	uint64_t held;	/* held resources, a bit each */
} routines[PLF_CPUS];	/* the running routine of each core */

/* For a held resource: the value of `top` before. Each resource belongs to a single core. */
static uint8_t below[PLF_RESOURCES + 1];

static struct plf_routine *routine_of(const struct plf_core *core)
{
	return &routines[plf_index_of(core)];
}

struct plf_masks *plf_masks_of_routine(const struct plf_core *core)
{
	return &routine_of(core)->masks;
}

/* Return the first release service that the routine left out. */
static unsigned missing_service(const struct plf_masks *masks)
{
	if (masks->disabled)
		return PLF_CALL_ENABLE_ALL_INTERRUPTS;
	return masks->suspended_all ? PLF_CALL_RESUME_ALL_INTERRUPTS
				    : PLF_CALL_RESUME_OS_INTERRUPTS;
}

static void settle_masks(struct plf_core *core, struct plf_masks *masks)
{
	unsigned service = missing_service(masks);

	if (!plf_hold_back(masks))
		return;
	*masks = (struct plf_masks) { 0 };
	plf_error_of_call(core, E_OS_DISABLEDINT, service, 0, 0, 0);
}

static void settle_resources(struct plf_core *core, struct plf_routine *routine)
{
	unsigned top = routine->top;

	if (top == 0)
		return;
	routine->top = 0;
	routine->held = 0;
	plf_error_of_call(core, E_OS_RESOURCE, PLF_CALL_RELEASE_RESOURCE, top - 1, 0, 0);
}

void plf_settle_routine(struct plf_core *core)
{
	struct plf_routine *routine = routine_of(core);

	settle_masks(core, &routine->masks);
	if (PLF_ISR_RESOURCES)
		settle_resources(core, routine);
	routine->number = 0;
}

void plf_begin_routine(struct plf_core *core, unsigned isr)
{
	routine_of(core)->number = (uint8_t)(isr + 1);
}

/* ---- The way out of a handler ---------------------------------------------------- */

enum { JUMP_WORDS = 5 }; /* required by __builtin_setjmp() */
static void *ends[PLF_CPUS][JUMP_WORDS];

void plf_call_handler(struct plf_core *core, unsigned isr)
{
	if (__builtin_setjmp(ends[plf_index_of(core)]) == 0)
		plf_isr_config[isr].handler();
}

_Noreturn void plf_leave_handler(struct plf_core *core)
{
	struct plf_routine *routine = routine_of(core);

	routine->masks = (struct plf_masks) { 0 };
	routine->top = 0;
	routine->held = 0;
	__builtin_longjmp(ends[plf_index_of(core)], 1);
}

ISRType plf_running_routine(const struct plf_core *core)
{
	unsigned number = routine_of(core)->number;

	return number ? (ISRType)(number - 1) : INVALID_ISR;
}

/* ---- Nested routines: R3 ------------------------------------------------------- */

void plf_return_to_routine(struct plf_core *core, ISRType isr)
{
	routine_of(core)->number = isr == INVALID_ISR ? 0 : (uint8_t)(isr + 1);
}

/* In a section a routine masks all interrupts, as a task does in a section of the same resource. */
void plf_let_nest(const struct plf_core *core)
{
	const struct plf_routine *routine = routine_of(core);
	const struct plf_masks *masks = &routine->masks;

	if (core->place == PLF_IN_ISR)
		plf_port_mask_routine(plf_hold_back(masks) || routine->top > 0,
				      masks->disabled || masks->suspended_all);
}

/* ---- Resources: OSEK 2.2.3, Sections 8 and 13.4 -------------------------------- */

static struct plf_result not_here(const struct plf_core *core, uintptr_t resource,
				  StatusType status)
{
	bool is_elsewhere = plf_is_elsewhere((unsigned)resource, plf_index_of(core));

	return plf_status(is_elsewhere ? E_OS_CORE : status);
}

/* Checked in both kinds of status, because a wrong number would harm the kernel. */
struct plf_result plf_get_in_routine(uintptr_t resource, uintptr_t b, uintptr_t c,
				     struct plf_core *core)
{
	struct plf_routine *routine = routine_of(core);

	if (resource >= PLF_RESOURCES)
		return plf_status(E_OS_ID);
	if (!(plf_isr_resources[routine->number - 1] >> resource & 1))
		return not_here(core, resource, E_OS_ACCESS);
	if (routine->held >> resource & 1)
		return plf_status(E_OS_ACCESS);
	below[resource] = routine->top;
	routine->top = (uint8_t)(resource + 1);
	routine->held |= UINT64_C(1) << resource;
	return plf_status(E_OK);
}

struct plf_result plf_release_in_routine(uintptr_t resource, uintptr_t b, uintptr_t c,
					 struct plf_core *core)
{
	struct plf_routine *routine = routine_of(core);

	if (resource >= PLF_RESOURCES)
		return plf_status(E_OS_ID);
	if (routine->top != resource + 1)
		return not_here(core, resource, E_OS_NOFUNC);
	routine->top = below[resource];
	routine->held &= ~(UINT64_C(1) << resource);
	return plf_status(E_OK);
}
