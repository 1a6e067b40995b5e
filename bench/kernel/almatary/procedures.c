/* SPDX-License-Identifier: MIT */
/* The measured procedures: Almatary 2015, Table I, and the sections of Section V. */
#include "../measure.h"

/* ---- Table I -------------------------------------------------------------- */

static void dummy(void)
{
	(void)plf_call0(PLF_CALL_NULL);
}

static void lock(void)
{
	GetResource(OUTER);
}

static void unlock(void)
{
	ReleaseResource(OUTER);
}

/* ABOVE preempts the section and ends: the holder is raised, and no task waits. */
static void lock_and_be_preempted(void)
{
	GetResource(OUTER);
	ActivateTask(ABOVE);
}

/* BELOW waits until the section ends. */
static void activate_below(void)
{
	ActivateTask(BELOW);
}

static void lock_and_be_waited_for(void)
{
	GetResource(OUTER);
	ActivateTask(BELOW);
}

static void activate_next(void)
{
	ActivateTask(NEXT);
}

static void switch_to_next(void)
{
	WaitEvent(SIGNAL);
}

/* ---- Section V: an outer section, and inner sections after an arrival in it -- */

#define NOTHING (void)0

#define FLAT(name, resource, arrival)                                                              \
	static void flat_##name(void)                                                              \
	{                                                                                          \
		GetResource(resource);                                                             \
		arrival;                                                                           \
		ReleaseResource(resource);                                                         \
	}
#define INNER(resource, arrival)                                                                   \
	GetResource(resource);                                                                     \
	arrival;                                                                                   \
	ReleaseResource(resource)
#define NESTED(name, resource, in_outer, in_inner)                                                 \
	static void nested_##name##_1(void)                                                        \
	{                                                                                          \
		GetResource(OUTER);                                                                \
		in_outer;                                                                          \
		INNER(resource, in_inner);                                                         \
		ReleaseResource(OUTER);                                                            \
	}                                                                                          \
	static void nested_##name##_3(void)                                                        \
	{                                                                                          \
		GetResource(OUTER);                                                                \
		in_outer;                                                                          \
		INNER(resource, in_inner);                                                         \
		INNER(resource, NOTHING);                                                          \
		INNER(resource, NOTHING);                                                          \
		ReleaseResource(OUTER);                                                            \
	}

FLAT(alone, OUTER, NOTHING)
FLAT(low, OUTER, ActivateTask(LOW))
FLAT(above, OUTER, ActivateTask(ABOVE))
FLAT(own_low, OWN, ActivateTask(LOW))
FLAT(own_above, OWN, ActivateTask(ABOVE))
NESTED(alone, HIGHER, NOTHING, NOTHING)
NESTED(outer_low, HIGHER, ActivateTask(LOW), NOTHING)
NESTED(outer_lower, LOWER, ActivateTask(ABOVE), NOTHING)
NESTED(outer_equal, EQUAL, ActivateTask(ABOVE), NOTHING)
NESTED(outer_higher, HIGHER, ActivateTask(ABOVE), NOTHING)
NESTED(inner_lower, LOWER, NOTHING, ActivateTask(ABOVE))
NESTED(inner_equal, EQUAL, NOTHING, ActivateTask(ABOVE))
NESTED(inner_higher, HIGHER, NOTHING, ActivateTask(ABOVE))

/* ---- All of them ---------------------------------------------------------- */

#define ROW(words, procedure, first, last)                                                         \
	{                                                                                          \
		.name = (words), .run = (procedure), .task = BENCH, .before = (first),             \
		.after = (last)                                                                    \
	}
#define SECTION(words, procedure) ROW(words, procedure, NULL, NULL)
#define SECTIONS(words, procedure)                                                                 \
	SECTION(words "-1", nested_##procedure##_1), SECTION(words "-3", nested_##procedure##_3)

const struct measured measured[] = {
	EMPTY_ROWS,
	ROW("dummy-syscall", dummy, NULL, NULL),
	ROW("lock", lock, NULL, unlock),
	ROW("unlock", unlock, lock, NULL),
	ROW("unlock-contended", unlock, lock_and_be_preempted, NULL),
	ROW("unlock-to-the-waiting", unlock, lock_and_be_waited_for, NULL),
	ROW("arrival-in-section", activate_below, lock, unlock),
	ROW("context-switch", switch_to_next, activate_next, NULL),
	SECTION("flat", flat_alone),
	SECTION("flat+low", flat_low),
	SECTION("flat+above", flat_above),
	SECTION("flat-own+low", flat_own_low),
	SECTION("flat-own+above", flat_own_above),
	SECTIONS("nested", alone),
	SECTIONS("nested+low@outer-higher", outer_low),
	SECTIONS("nested+above@outer-lower", outer_lower),
	SECTIONS("nested+above@outer-equal", outer_equal),
	SECTIONS("nested+above@outer-higher", outer_higher),
	SECTIONS("nested+above@inner-lower", inner_lower),
	SECTIONS("nested+above@inner-equal", inner_equal),
	SECTIONS("nested+above@inner-higher", inner_higher),
};
const unsigned measured_count = sizeof(measured) / sizeof(measured[0]);
_Static_assert(sizeof(measured) / sizeof(measured[0]) <= MOST_MEASURED, "a row of samples each");
