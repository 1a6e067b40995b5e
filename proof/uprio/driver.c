/* SPDX-License-Identifier: MIT */

/*
 * What the actors of the sweep run, and the kernel under them: resources as user code, the
 * kernel's half, and the portable kernel that puts it to use, all as shipped. The model
 * raises the interrupts, and gives the processor to the task that the kernel names.
 */
#include <stddef.h>
#include <stdint.h>

#define inline inline __attribute__((always_inline))
#include "marks.h"
#include "os.h"
#undef inline

#include "calls.c"
#include "dispatch.c"
#include "error.c"
#include "event.c"
#include "interrupt.c"
#include "os.c"
#include "plf_page.c"
#include "task.c"

/* ---- The configuration ------------------------------------------------- */

/* Base, running and highest level of each. */
#define PROOF_LEVELS                                                                               \
	TASK_AT(T8, 8, 8, 8)                                                                       \
	TASK_AT(T7, 7, 7, 7)                                                                       \
	TASK_AT(T6, 6, 6, 7)                                                                       \
	TASK_AT(T5, 5, 5, 7)                                                                       \
	TASK_AT(T4, 4, 4, 7)                                                                       \
	TASK_AT(T3, 3, 3, 7)                                                                       \
	TASK_AT(T2, 2, 2, 7)                                                                       \
	TASK_AT(T2I, 2, 4, 7)                                                                      \
	TASK_AT(T2N, 2, 2, 5)                                                                      \
	TASK_AT(T1, 1, 1, 7)

#define TASK_AT(name, base_, running_, highest_)                                                   \
	[name] = {                                                                                 \
		.base = (base_), .running = (running_), .highest = (highest_), .activations = 1    \
	},
const struct plf_task_config plf_task_config[PLF_TASKS] = { PROOF_LEVELS };
#undef TASK_AT

#define TASK_AT(name, base_, running_, highest_) base_, running_, highest_,
const uint64_t proof_levels[] = { PROOF_LEVELS };
#undef TASK_AT

const struct plf_isr_config plf_isr_config[PLF_ISRS + 1];

enum { SLOTS = 16 };
static struct plf_task *slots[PLF_LEVELS][SLOTS];
#define RING(level)                                                                                \
	{                                                                                          \
		slots[level], SLOTS - 1                                                            \
	}
const struct plf_ring_config plf_ring_config[PLF_LEVELS] = {
	RING(0), RING(1), RING(2), RING(3), RING(4), RING(5), RING(6), RING(7), RING(8),
};

/* ---- The port ---------------------------------------------------------- */

void plf_port_mask(bool masked)
{
	(void)masked;
}

bool plf_port_may_write(const struct plf_task *task, uintptr_t address, uintptr_t size)
{
	(void)task, (void)address, (void)size;
	return false;
}

_Noreturn void plf_port_end(StatusType status)
{
	(void)status;
	for (;;)
		;
}

/* ---- What the model asks of the kernel: each returns 1 + who runs, 0: nobody ------------ */

static uint64_t running(void)
{
	const struct plf_task *task = plf_this_core()->running;

	return task ? task->index + 1U : 0;
}

void proof_start(void *unused)
{
	(void)unused;
	plf_start();
}

uint64_t proof_arrive(void *unused, uint64_t task)
{
	struct plf_core *core = plf_this_core();

	(void)unused;
	plf_begin_interrupt(core);
	(void)plf_activate(core, &plf_tasks[task]);
	plf_end_interrupt(core);
	return running();
}

uint64_t proof_call(void *unused, uint64_t number)
{
	(void)unused;
	(void)plf_system_call(0, 0, 0, number);
	return running();
}

/* What is kept of the task's words though its activation is over. */
uint64_t proof_kept(void *unused, uint64_t task)
{
	(void)unused;
	return plf_tasks[task].words.top;
}

/* ---- What it must know -------------------------------------------------- */

static struct {
	struct guarded data[PLF_RESOURCES];
} proof_shared __attribute__((used));

/* Of the words, of the resources' words, of the data; and three calls. */
const uint64_t proof_layout[] = {
	offsetof(struct plf_words, uprio),
	sizeof(struct plf_words),
	offsetof(struct plf_page, resources),
	sizeof(plf_page.resources),
	sizeof(struct guarded),
	PLF_CALL_PREEMPT,
	PLF_CALL_TERMINATE_TASK,
	PLF_CALL_MISSING_TERMINATE,
	offsetof(struct plf_words, task),
};

const uint64_t proof_ceilings[PLF_RESOURCES] = PLF_CEILINGS;

/* ---- The scripts ------------------------------------------------------- */

typedef void words;

static inline __attribute__((always_inline)) void plain_enter(words *w, uint64_t lock)
{
	(void)w;
	(void)GetResource((ResourceType)lock);
}

static inline __attribute__((always_inline)) void plain_leave(words *w, uint64_t lock)
{
	(void)w;
	(void)ReleaseResource((ResourceType)lock);
}

#define inline inline __attribute__((always_inline))
#include "scripts.h"

static inline _Noreturn void nest(words *w, uint64_t me, uint64_t a, uint64_t b, uint64_t c)
{
	open(w, a);
	body(me, a);
	open(w, b);
	body(me, b);
	open(w, c);
	body(me, c);
	close(w, c);
	body(me, b);
	close(w, b);
	body(me, a);
	close(w, a);
	end();
}

_Noreturn void flat(words *w, uint64_t me)
{
	open(w, R5);
	body(me, R5);
	close(w, R5);
	open(w, R3);
	body(me, R3);
	close(w, R3);
	end();
}

_Noreturn void rising(words *w, uint64_t me)
{
	nest(w, me, R3, R5, R7);
}

_Noreturn void falling(words *w, uint64_t me)
{
	nest(w, me, R7, R5, R3);
}

_Noreturn void saddle(words *w, uint64_t me)
{
	nest(w, me, R5, R3, R7);
}

_Noreturn void equal(words *w, uint64_t me)
{
	nest(w, me, R5, R5B, R5C);
}

/* An inner section after the other. */
_Noreturn void comb(words *w, uint64_t me)
{
	open(w, R3);
	open(w, R7);
	body(me, R7);
	close(w, R7);
	open(w, R5);
	body(me, R5);
	close(w, R5);
	body(me, R3);
	close(w, R3);
	end();
}
