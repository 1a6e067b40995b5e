/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_SEVERAL_CORES_H
#define PLF_TEST_SEVERAL_CORES_H

/* For test programs of several cores. Each shared word has a single writer. */
#include "check.h"
#include "plf_clock.h"

/*
 * Wait until another core has made it true. If that never comes, the bounds of run.py end the
 * image.
 */
#define AWAIT(condition)                                                                           \
	while (!(condition))                                                                       \
	plf_relax()

static inline uint32_t look(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void show(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* For a word that only the calling task writes. */
static inline void count(uint32_t *word)
{
	show(word, *word + 1);
}

static inline TaskStateType state_of(TaskType task)
{
	TaskStateType state = INVALID_TASK;

	EXPECT(GetTaskState(task, &state), E_OK);
	return state;
}

#endif
