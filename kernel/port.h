/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_H
#define PLF_PORT_H

/*
 * Between the portable kernel and a port (kernel/ports/NAME).
 *
 * The port enters the kernel with interrupts masked, on the core's kernel stack, by a function of
 * the first section. When that returns, the port compares plf_this_core()->running with the task
 * whose registers are loaded. If they differ, it saves the registers in the loaded task's context
 * and loads the registers of `running`. If no task runs, it waits for an interrupt.
 *
 * The port's port_types.h defines struct plf_context and enough of the processor to read it.
 */
#include "core.h"
#include "os_calls.h"

/* ---- The kernel, called by the port ------------------------------------ */

/* A system call of the running task. The arguments may have any values. */
struct plf_result plf_system_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number);

/*
 * The same, for a port that calls through the table. Each door takes a, b, c, the core and the
 * number. The port must check that the number is below PLF_CALLS.
 */
typedef void plf_door(void);
extern plf_door *const plf_doors[PLF_CALLS];

/*
 * The interrupt of plf_isr_config[isr] came. The port has acknowledged it, and must end it when
 * this function has returned. With PLF_ROUTINES_WAIT, it must end it when the kernel calls
 * plf_port_end_interrupt().
 *
 * With PLF_NESTING it may interrupt another interrupt's routine (plf_port_mask_routine()). It then
 * runs on the same stack with interrupts masked again. When this function has returned, that
 * routine must continue unchanged.
 */
void plf_interrupt(unsigned isr);

/*
 * The same for category 1. It comes before all other interrupts, whenever the loaded task or the
 * routine lets it through. After it the kernel has nothing to decide.
 */
void plf_interrupt_beside(unsigned isr);

/* The time that plf_port_set_timer() asked for has come. */
void plf_timer(void);

/*
 * Under the hardware scheduler, the only entry for interrupts: an interrupt is pending, and the
 * port has not acknowledged it. The port calls the other functions from plf_port_serve().
 */
void plf_interrupted(void);

/* With several cores: another core called plf_port_notify() for this core. */
void plf_notified(void);

/* The time that plf_port_set_arrival() asked for has come. Defined in kernel/run. */
void plf_arrival(void);

/*
 * The running task did something forbidden. `status` is E_OS_PROTECTION_MEMORY or _EXCEPTION, or
 * E_OS_STACKFAULT if stacks are monitored.
 */
void plf_fault(StatusType status);

/* No task runs, and the port is about to wait for an interrupt. */
void plf_idle(void);

/* Called once by the port's reset code, before any core starts. */
void plf_prepare(void);

/* StartOS(). Without a main(), the port's reset code calls it. Returns to the port's exit path. */
void plf_start(void);

/* With several cores, or modes: called on each core when it begins. */
#define PLF_HAS_MAIN (PLF_CPUS > 1 || PLF_MODES)
_Noreturn void plf_begin(void);

/* ---- The port, called by the kernel ------------------------------------ */

/*
 * The running task's activation is over. The port must not save its registers. When the task is
 * loaded next, it must begin at its entry function, at the top of its stack, like a task that was
 * never loaded.
 */
static inline void plf_port_end_context(struct plf_task *task);

/* The same for a task that does not run, and did not run when the kernel was entered. */
static inline void plf_port_forget_context(struct plf_task *task);

/* Nanoseconds since the start. */
uint64_t plf_port_now_ns(void);

/* Call plf_timer() once at `at_ns`, or at once if that has passed; UINT64_MAX: never. */
void plf_port_set_timer(uint64_t at_ns);

/* Call plf_arrival() once at that time, as above. Only for images of `plafond run`. */
void plf_port_set_arrival(uint64_t at_ns);

/* Make the interrupt of a source pending, as a device would. */
void plf_port_raise(uint32_t source);

/*
 * With PLF_TERMINATION: disable or enable the interrupt of a source of this core. Enabling it
 * discards an interrupt that was pending before.
 */
void plf_port_disable(uint32_t source);
void plf_port_enable(uint32_t source);

/*
 * Return whether this core, which the source belongs to, has taken it and its handler has not
 * ended.
 */
__attribute__((warn_unused_result)) bool plf_port_is_active(uint32_t source);

/*
 * With PLF_ROUTINES_WAIT: end the interrupt of this source, for which plf_interrupt() was called.
 * It was active until now, so that no interrupt of its level came to the core.
 */
void plf_port_end_interrupt(uint32_t source);

/*
 * With several cores: make core number `core` call plf_notified(), once or more, when its running
 * task lets interrupts through. That core must see all stores before this call.
 */
void plf_port_notify(unsigned core);

/* With several cores: pause in a loop that waits for another core. */
void plf_port_wait_a_little(void);

/* With several cores: let core number `core` begin in plf_begin(). All is prepared. */
void plf_port_start_core(unsigned core);

/* If there may be a main(): go to the exit path, after plf_start() has returned. */
_Noreturn void plf_port_enter(void);

/* With several cores: stop this core for good. */
_Noreturn void plf_port_halt(void);

/*
 * Under the hardware scheduler: the controller. Each level of a core has an interrupt source for
 * tasks. Each other interrupt has the level of its configuration. With PLF_NESTING, only
 * plf_port_hold_back() is needed.
 *
 * Make the source of a level of core number `core` pending. The core must see all stores before
 * this call when it takes the source. A following plf_port_take() of this core must find it.
 */
static inline void plf_port_pend(unsigned core, unsigned level);

/* Keep interrupts of this core that are not above `level` pending from now on. */
static inline void plf_port_hold_back(unsigned level);

/*
 * Take the most urgent pending interrupt that is not held back and is above all active interrupts.
 * The result is a level of tasks, another interrupt, or none. A level is active from then on.
 * Another interrupt must be served before anything else is taken.
 */
static inline __attribute__((warn_unused_result)) unsigned plf_port_take(void);
static inline bool plf_port_is_none(unsigned taken);
static inline bool plf_port_is_level(unsigned taken); /* only for a result that is not none */
static inline unsigned plf_port_level_of(unsigned taken);

/* Call plf_interrupt(), plf_timer() or plf_arrival() for the interrupt that was taken. */
void plf_port_serve(unsigned taken);

/* Make the source of this core's level inactive. It was the last source taken. */
static inline void plf_port_end_level(unsigned core, unsigned level);

/*
 * Mask interrupts of category 2 and the kernel's own interrupts for the running task, now and
 * whenever it runs, or let them through again.
 */
void plf_port_mask(bool masked);

/* The same for category 1, in images that have such interrupts. */
void plf_port_mask_beside(bool masked);

/*
 * With PLF_NESTING: call the routine of an interrupt. Other interrupts may interrupt it, unless
 * plf_port_mask_routine() masks them. After the return, interrupts are masked.
 */
void plf_port_run_routine(void (*routine)(void));

/*
 * With PLF_NESTING: mask interrupts in the kernel's mode from now on, or let them through. `masked`
 * is for category 2, and `beside` for category 1. Of category 2 only interrupts above all active
 * interrupts come. Pending interrupts that are let through must have come when this returns, and
 * also when plf_port_raise() returns.
 */
void plf_port_mask_routine(bool masked, bool beside);

/* Return whether the running task may write these bytes. */
__attribute__((warn_unused_result)) bool plf_port_may_write(const struct plf_task *task,
							    uintptr_t address, uintptr_t size);

/* Return whether it may read them. `size` is 1 to PLF_CONSOLE_MOST or PLF_MESSAGE_MOST. */
__attribute__((warn_unused_result)) bool plf_port_may_read(const struct plf_task *task,
							   uintptr_t address, uintptr_t size);

/*
 * With PLF_TRUSTED_FUNCTIONS: return the access that a task, running or not, has to all of these
 * bytes, as bits of an AccessType. There is at least one byte, and the last byte is not below the
 * first.
 */
unsigned plf_port_access_of(const struct plf_task *task, uintptr_t address, uintptr_t size);

/*
 * With PLF_PROTECTED_FUNCTIONS (kernel/function.h), plf_port_domain.h of the port has
 * 	static inline unsigned plf_port_domain_of(const struct plf_task *task);
 * which returns the domain in which a task executes.
 *
 * A call number from PLF_CALLS on is a return or a function. plf_domain_config lists the functions
 * for the caller's domain. Such a call enters no function of the kernel, unless the port refuses
 * it: then PLF_CALL_CALL_NON_TRUSTED_FUNCTION. The port must refuse a call by a task that holds
 * interrupts back.
 *
 * plf_port_force_return(): the running task, which is in a call, did something forbidden. It must
 * continue behind the call. Only for ports with memory protection, because without it nothing is
 * forbidden.
 */
void plf_port_force_return(struct plf_task *task, StatusType status);

/*
 * The console for the kernel, hooks and interrupt handlers of any description. Writes `size` bytes
 * of any value, in order and at once. Returns when the device has all of them, and reports no
 * error. Tasks have WriteConsole() of os_console.h.
 */
void plf_port_write(const char *text, size_t size);

/*
 * Take at most `size` bytes that have come in, and return their number; 0: no byte is left, or
 * there is no console. On a53 the interrupt of source 1 comes until all bytes are taken.
 */
__attribute__((warn_unused_result)) size_t plf_port_read(char *text, size_t size);

/* End the system. The exit code is 0 for E_OK, else `status`. */
_Noreturn void plf_port_end(StatusType status);

#include "port_inline.h"

/*
 * void plf_port_note_end(StatusType status, const char *service), of port_inline.h: that service is
 * about to end the core or the system; "": no service ends it. For a port that reports the place.
 */

/*
 * PLF_PORT_START_NS, an enum of port_inline.h: this long after the end of plf_start(), the core has
 * surely left the kernel, for any number of tasks.
 */

#endif
