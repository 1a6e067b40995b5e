/* SPDX-License-Identifier: MIT */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

/*
 * Counts instructions of tasks and of the kernel: under -icount shift=0, QEMU's virtual counter is
 * their number.
 *
 * A procedure is a separate function that assembly calls. So no code of the measurement moves into
 * it, and none of its code moves out. An empty procedure is measured in the same way, for the cost
 * between two readings.
 *
 * The null calls `svc #1` and `svc #2` mark the begin and the end of the procedure in QEMU's log of
 * exceptions. The kernel ignores the immediate. All registers that may hold the number of a call
 * are 0.
 */
#include "os.h"

_Static_assert(PLF_CALL_NULL == 0, "marks are null calls");

#define MARK(immediate)                                                                            \
	"mov x0, #0\n\tmov x1, #0\n\tmov x2, #0\n\t"                                               \
	"mov x3, #0\n\tmov x4, #0\n\tmov x5, #0\n\t"                                               \
	"mov x6, #0\n\tmov x7, #0\n\tmov x8, #0\n\t"                                               \
	"svc #" #immediate "\n\t"
#define MARK_BEGIN MARK(1)
#define MARK_END   MARK(2)

enum { ROUNDS = 8, MOST_MEASURED = 64 };

typedef void procedure(void);

struct measured {
	const char *name;
	procedure *run;
	TaskType task;	   /* runs the procedure */
	procedure *before; /* the same task calls it, uncounted; NULL: nothing */
	procedure *after;
	procedure *until; /* DRIVER calls it to wait for the end of the round; NULL: all tasks have
			   * ended */
	bool calls_in_sections; /* a section with masked interrupts must not call services */
};

extern const struct measured measured[];
extern const unsigned measured_count; /* up to MOST_MEASURED */

/* The cost of the readings themselves. Every program begins with these rows. */
procedure nothing;
procedure arrive_at_once;

#define EMPTY_ROWS                                                                                 \
	{ .name = "empty", .run = nothing, .task = BENCH },                                        \
	{                                                                                          \
		.name = "empty-one-way", .run = arrive_at_once, .task = BENCH                      \
	}

/* State of the round. */
extern const struct measured *current;
extern uint64_t begun_at;
extern uint64_t ended_at;
extern uint64_t arrived_at; /* the end, noted by another task, if the procedure does not return */

static inline void measure(procedure *run)
{
	__asm__ volatile(MARK_BEGIN "mrs x9, cntvct_el0\n\t"
				    "str x9, %[begun]\n\t"
				    "blr %[run]\n\t"
				    "mrs x9, cntvct_el0\n\t"
				    "str x9, %[ended]\n\t" MARK_END
			 : [begun] "=m"(begun_at), [ended] "=m"(ended_at)
			 : [run] "r"(run)
			 : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
			   "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x30", "cc", "memory");
}

/* The end of a procedure in another task, unless it has ended already. */
static inline void arrive(uint64_t at)
{
	if (arrived_at || ended_at)
		return;
	arrived_at = at;
	__asm__ volatile(MARK_END
			 :
			 :
			 : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
			   "x12", "x13", "x14", "x15", "x16", "x17", "x18", "memory");
}

/* Define a function whose first instruction reads the count, for `void continuation(uint64_t)`. */
#define READ_FIRST(function, continuation)                                                         \
	__asm__(".pushsection .text." #function ", \"ax\"\n"                                       \
		".globl " #function "\n"                                                           \
		".type " #function ", %function\n" #function ":	mrs x0, cntvct_el0\n"              \
		"	b " #continuation "\n"                                                     \
		".popsection\n")

/* A task that only notes when it starts. */
#define NOTES_ITS_START(task) READ_FIRST(plf_task_##task, note_start)

void note_start(uint64_t at);

#endif
