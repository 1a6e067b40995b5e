/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_H
#define PLF_PORT_H

/*
 * Between the portable kernel and a port (kernel/ports/NAME).
 *
 * The port enters the kernel with interrupts masked, on the core's one kernel stack, by one of
 * the first three functions, and looks at plf_this_core()->running when it has returned: where
 * that is not the task whose registers are loaded, it saves these in the loaded task's context
 * and loads the other's. If no task runs, it waits for an interrupt.
 *
 * port_types.h of the port defines struct plf_context and enough of the processor to read it.
 */
#include "core.h"
#include "os_calls.h"

/* ---- The kernel, called by the port ------------------------------------ */

/* A system call of the running task. Any values. */
struct plf_result plf_system_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number);

/*
 * The same, for a port that would rather call by the table: each door takes a, b, c, the core
 * and the number, which the port has found to be below PLF_CALLS.
 */
typedef void plf_door(void);
extern plf_door *const plf_doors[PLF_CALLS];

/*
 * The interrupt of plf_isr_config[isr] came. The port has acknowledged it, and ends it when this
 * has returned; with PLF_ROUTINES_WAIT when the kernel calls plf_port_end_interrupt(). With
 * PLF_NESTING it may come into the routine of another one (plf_port_mask_routine()): on the same
 * stack and masked again, and when this has returned that routine goes on as it was.
 */
void plf_interrupt(unsigned isr);

/*
 * The same of category 1. It comes whenever the loaded task, or the routine, lets it through, and
 * before all others; nothing is to be decided when this has returned.
 */
void plf_interrupt_beside(unsigned isr);

/* The time asked for by plf_port_set_timer() has come. */
void plf_timer(void);

/*
 * Under the hardware scheduler, instead of all others: an interrupt is pending, which the port has
 * not acknowledged. The port calls the others out of plf_port_serve().
 */
void plf_interrupted(void);

/* Another core asked for it by plf_port_notify(): of images with several. */
void plf_notified(void);

/* The time asked for by plf_port_set_arrival() has come: in kernel/run. */
void plf_arrival(void);

/*
 * The running task did something forbidden; `status` is E_OS_PROTECTION_MEMORY or _EXCEPTION, or
 * E_OS_STACKFAULT where stacks are monitored.
 */
void plf_fault(StatusType status);

/* No task runs, and the port is about to wait for an interrupt. */
void plf_idle(void);

/* Once, from the port's reset code, before any core starts. */
void plf_prepare(void);

/* StartOS: without a main() from the port's reset code. Returns to the port's exit path. */
void plf_start(void);

/* With several cores, or modes: on each core, when it begins. */
#define PLF_HAS_MAIN (PLF_CPUS > 1 || PLF_MODES)
_Noreturn void plf_begin(void);

/* ---- The port, called by the kernel ------------------------------------ */

/*
 * The running task's activation is over. Its registers are not saved any more, and when it is
 * loaded the next time it begins at its entry function, at the top of its stack: as all tasks do
 * that were never loaded.
 */
static inline void plf_port_end_context(struct plf_task *task);

/* The same of a task that does not run, and did not when the kernel was entered. */
static inline void plf_port_forget_context(struct plf_task *task);

/* Nanoseconds since the start. */
uint64_t plf_port_now_ns(void);

/* Call plf_timer() once when the time is `at_ns`, at once if it has passed; UINT64_MAX: never. */
void plf_port_set_timer(uint64_t at_ns);

/* Call plf_arrival() once at that time, as above: images of `plafond run` only. */
void plf_port_set_arrival(uint64_t at_ns);

/* Make the interrupt of a source pending, as a device would. */
void plf_port_raise(uint32_t source);

/*
 * With PLF_TERMINATION: an interrupt of a source of this core does not come from now on; or does so
 * again, but none that was pending before.
 */
void plf_port_disable(uint32_t source);
void plf_port_enable(uint32_t source);

/* Whether it was taken by this core, which is the source's, and its handler has not ended. */
__attribute__((warn_unused_result)) bool plf_port_is_active(uint32_t source);

/*
 * With PLF_ROUTINES_WAIT: the interrupt of this source, which plf_interrupt() was called for, is
 * over. Until now it was active, so that none of its level came to the core.
 */
void plf_port_end_interrupt(uint32_t source);

/*
 * Of images with several cores: the core of this number calls plf_notified() once or more from now
 * on, when its running task lets interrupts through. All stores before are seen by it.
 */
void plf_port_notify(unsigned core);

/* Of images with several cores: another core is waited for, which has to do something. */
void plf_port_wait_a_little(void);

/* Of images with several cores: the core of this number begins in plf_begin(); all is prepared. */
void plf_port_start_core(unsigned core);

/* Where there may be a main(): to the exit path, when plf_start() has returned. */
_Noreturn void plf_port_enter(void);

/* Of images with several cores: this core does nothing more. */
_Noreturn void plf_port_halt(void);

/*
 * Under the hardware scheduler: the controller. A level of a core has a source for tasks; each
 * other interrupt has the level of its configuration. With PLF_NESTING: plf_port_hold_back() alone.
 *
 * Make the source of a level of a core of this number pending. All stores before are seen by the
 * core when it takes that; and a following plf_port_take() of this core finds it.
 */
static inline void plf_port_pend(unsigned core, unsigned level);

/* Interrupts of this core that are not above `level` stay pending from now on. */
static inline void plf_port_hold_back(unsigned level);

/*
 * Takes the most urgent of what is pending, not held back, and above all that is active. It is one
 * of three: a level of tasks, which is active from then on; another interrupt, which is to be
 * served before anything else is taken; or none, where nothing is above.
 */
static inline __attribute__((warn_unused_result)) unsigned plf_port_take(void);
static inline bool plf_port_is_none(unsigned taken);
static inline bool plf_port_is_level(unsigned taken); /* of one that is not none */
static inline unsigned plf_port_level_of(unsigned taken);

/* Calls plf_interrupt(), plf_timer() or plf_arrival() for an interrupt that was taken. */
void plf_port_serve(unsigned taken);

/* The source of this level of this core, the last that was taken, is active no more. */
static inline void plf_port_end_level(unsigned core, unsigned level);

/*
 * Keep interrupts from the running task, now and whenever it runs, or let them through again: those
 * of category 2 and the kernel's own.
 */
void plf_port_mask(bool masked);

/* The same for those of category 1, in images that have some. */
void plf_port_mask_beside(bool masked);

/*
 * With PLF_NESTING: calls the routine of an interrupt. Others come into it, but for those that
 * plf_port_mask_routine() keeps out; none comes any more when this has returned.
 */
void plf_port_run_routine(void (*routine)(void));

/*
 * The same: whether interrupts are kept from the kernel's mode itself, from now on: those of
 * category 2, and those of category 1, `beside`. Of the former only those come that are above all
 * that is active. What is pending and let through has come when this returns, and so it has when
 * plf_port_raise() does.
 */
void plf_port_mask_routine(bool masked, bool beside);

/* Whether the running task may write these bytes. */
__attribute__((warn_unused_result)) bool plf_port_may_write(const struct plf_task *task,
							    uintptr_t address, uintptr_t size);

/* Whether it may read them: 1 to PLF_CONSOLE_MOST, or to PLF_MESSAGE_MOST. */
__attribute__((warn_unused_result)) bool plf_port_may_read(const struct plf_task *task,
							   uintptr_t address, uintptr_t size);

/*
 * With PLF_TRUSTED_FUNCTIONS: what a task, which need not run, may do with all of these bytes, in
 * the bits of an AccessType. There is at least one, and the last is not below the first.
 */
unsigned plf_port_access_of(const struct plf_task *task, uintptr_t address, uintptr_t size);

/*
 * With PLF_PROTECTED_FUNCTIONS (kernel/function.h). plf_port_domain.h of the port has
 *	static inline unsigned plf_port_domain_of(const struct plf_task *task);
 * the domain in which a task executes. A number from PLF_CALLS on is that of a return, or of a
 * function, which plf_domain_config lists for the domain of its caller; it calls no function of the
 * kernel, unless it is refused: then PLF_CALL_CALL_NON_TRUSTED_FUNCTION. A task that holds
 * interrupts back calls none.
 *
 * The running task, which is in a call, did something forbidden: it goes on behind the call. Of
 * ports with memory protection, because without it nothing is forbidden.
 */
void plf_port_force_return(struct plf_task *task, StatusType status);

/*
 * The console, for the kernel and for hooks and interrupt handlers of any description: `size`
 * bytes of any value, which are written in order and at once. Returns when the device has them
 * all; reports no error. Tasks have WriteConsole() of os_console.h.
 */
void plf_port_write(const char *text, size_t size);

/*
 * Takes at most `size` bytes that have come in, and returns how many there were; 0: no more, or
 * no console. On a53 the interrupt of source 1 comes until all are taken.
 */
__attribute__((warn_unused_result)) size_t plf_port_read(char *text, size_t size);

/* The end, with the exit code 0 of E_OK, else `status`. */
_Noreturn void plf_port_end(StatusType status);

#include "port_inline.h"

/*
 * void plf_port_note_end(StatusType status, const char *service), of port_inline.h: the core, or
 * the system, is about to end by that service; "": by no service. For a port that says where that
 * was.
 */

/*
 * PLF_PORT_START_NS, an enum of port_inline.h: so long after the end of plf_start() the core has
 * surely left the kernel, however many tasks there are.
 */

#endif
