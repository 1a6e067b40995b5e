/* SPDX-License-Identifier: MIT */
/* The measured procedures: Zuepke 2014, Sections IV.A (Table II) and IV.C (Table III). */
#include "../measure.h"

/* ---- Table II: the platform ----------------------------------------------- */

enum { TIMES = 1024, WORDS = 1024 / sizeof(uint32_t) };

static const volatile uint32_t constants[WORDS];
static volatile uint32_t variables[WORDS];

/* Decrement and branch, TIMES times. */
static void nops(void)
{
	unsigned left = TIMES;

	__asm__ volatile("1:\tsubs %w[left], %w[left], #1\n\tb.ne 1b" : [left] "+r"(left)::"cc");
}

__attribute__((noinline)) static void return_at_once(void)
{
	__asm__ volatile("");
}

static void calls(void)
{
	for (unsigned i = 0; i < TIMES; i++)
		return_at_once();
}

static void read_constants(void)
{
	for (unsigned i = 0; i < WORDS; i++)
		(void)constants[i];
}

static void read_variables(void)
{
	for (unsigned i = 0; i < WORDS; i++)
		(void)variables[i];
}

static void write_variables(void)
{
	for (unsigned i = 0; i < WORDS; i++)
		variables[i] = i;
}

/* ---- Table II: the system ------------------------------------------------- */

static void null_call(void)
{
	(void)plf_call0(PLF_CALL_NULL);
}

static void schedule(void)
{
	Schedule();
}

static void chain_task(void)
{
	ChainTask(CHAIN);
}

static void activate_low(void)
{
	ActivateTask(LOW);
}

static void activate_high(void)
{
	ActivateTask(HIGH);
}

static void activate_first(void)
{
	ActivateTask(FIRST);
}

static void event_loop(void)
{
	SetEvent(WAITER, SIGNAL);
}

/* ---- Table III: T1 is before the sections, T2 in the outer, T3 in the inner section --- */

#define NON_NESTED(name, t1, t2)                                                                   \
	static void non_nested_##name(void)                                                        \
	{                                                                                          \
		t1;                                                                                \
		GetResource(OUTER);                                                                \
		t2;                                                                                \
		ReleaseResource(OUTER);                                                            \
	}
#define NESTED(name, t1, t2, t3)                                                                   \
	static void nested_##name(void)                                                            \
	{                                                                                          \
		t1;                                                                                \
		GetResource(OUTER);                                                                \
		t2;                                                                                \
		GetResource(INNER);                                                                \
		t3;                                                                                \
		ReleaseResource(INNER);                                                            \
		ReleaseResource(OUTER);                                                            \
	}
#define NOTHING (void)0

#define NON_NESTED_WITH(task)                                                                      \
	NON_NESTED(task##_T1, ActivateTask(task), NOTHING)                                         \
	NON_NESTED(task##_T2, NOTHING, ActivateTask(task))
#define NESTED_WITH(task)                                                                          \
	NESTED(task##_T1, ActivateTask(task), NOTHING, NOTHING)                                    \
	NESTED(task##_T2, NOTHING, ActivateTask(task), NOTHING)                                    \
	NESTED(task##_T3, NOTHING, NOTHING, ActivateTask(task))

NON_NESTED(alone, NOTHING, NOTHING)
NON_NESTED_WITH(LOW)
NON_NESTED_WITH(MEDIUM)
NON_NESTED_WITH(HIGH)
NESTED(alone, NOTHING, NOTHING, NOTHING)
NESTED_WITH(LOW)
NESTED_WITH(MEDIUM)
NESTED_WITH(BETWEEN)
NESTED_WITH(HIGH)

/* ---- All of them ---------------------------------------------------------- */

#define ROW(words, procedure, by)                                                                  \
	{                                                                                          \
		.name = (words), .run = (procedure), .task = (by)                                  \
	}
#define CALLS_IN_SECTIONS(words, procedure)                                                        \
	{                                                                                          \
		.name = (words), .run = (procedure), .task = BENCH, .calls_in_sections = true      \
	}
#define NON_NESTED_ROWS(class, task)                                                               \
	ROW("non-nested+" class "@T1", non_nested_##task##_T1, BENCH),                             \
		CALLS_IN_SECTIONS("non-nested+" class "@T2", non_nested_##task##_T2)
#define NESTED_ROWS(class, task)                                                                   \
	ROW("nested+" class "@T1", nested_##task##_T1, BENCH),                                     \
		CALLS_IN_SECTIONS("nested+" class "@T2", nested_##task##_T2),                      \
		CALLS_IN_SECTIONS("nested+" class "@T3", nested_##task##_T3)

const struct measured measured[] = {
	EMPTY_ROWS,
	ROW("nops", nops, BENCH),
	ROW("calls", calls, BENCH),
	ROW("read-constants", read_constants, BENCH),
	ROW("read-variables", read_variables, BENCH),
	ROW("write-variables", write_variables, BENCH),
	ROW("null-syscall", null_call, BENCH),
	ROW("schedule", schedule, BENCH),
	ROW("chain-task", chain_task, CHAIN),
	ROW("activate-low", activate_low, BENCH),
	ROW("activate-first", activate_first, BENCH),
	ROW("activate-high", activate_high, BENCH),
	ROW("event-loop", event_loop, BENCH),
	ROW("non-nested", non_nested_alone, BENCH),
	NON_NESTED_ROWS("low", LOW),
	NON_NESTED_ROWS("medium", MEDIUM),
	NON_NESTED_ROWS("high", HIGH),
	ROW("nested", nested_alone, BENCH),
	NESTED_ROWS("low", LOW),
	NESTED_ROWS("medium", MEDIUM),
	NESTED_ROWS("between", BETWEEN),
	NESTED_ROWS("high", HIGH),
};
const unsigned measured_count = sizeof(measured) / sizeof(measured[0]);
_Static_assert(sizeof(measured) / sizeof(measured[0]) <= MOST_MEASURED, "a row of samples each");
