/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_REPLAY_H
#define DESIGN_REPLAY_H

/*
 * The accessors of protocol/word.h, put so that a half stops at each access to a shared word.
 *
 * A task's half that is under way is kept as the number of its accesses so far and the values
 * that they gave. One step runs the function from its start: accesses already made are answered
 * from there, the next one is made, and before the one after it the function is left. So what
 * the model explores between two accesses is every interleaving of the function itself.
 *
 * In the kernel, which no task interrupts, all accesses are made at once.
 */
#define PLF_WORD_H /* instead of it */

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef ACCESSES
#define ACCESSES 8 /* of the longest half */
#endif
#ifndef LOGGED
#define LOGGED uint32_t
#endif

struct half {
	LOGGED value[ACCESSES];
	uint8_t made; /* accesses so far */
	uint8_t is_under_way;
};

enum access { ACCESS_LOAD, ACCESS_STORE, ACCESS_CALL };

/* The half that runs, none in the kernel, and where its run is. Nothing of this outlasts a step. */
static struct {
	struct half *half;
	unsigned place;
	bool has_moved;
	const void *failed; /* the access before was a swap of this word, in vain */
	jmp_buf stop;
} replay;

/* The world notes each new access. */
static void note_access(enum access kind, const void *word, uint64_t value);

/* A half ran further than any does: it is in a loop. */
static _Noreturn void note_endless(void);

/* Is it time to make this access? Else it was made before, with this result. */
static inline bool is_new(uint64_t *result)
{
	if (replay.place < replay.half->made) {
		replay.failed = NULL;
		*result = replay.half->value[replay.place++];
		return false;
	}
	if (replay.has_moved)
		longjmp(replay.stop, 1);
	if (replay.half->made == ACCESSES)
		note_endless();
	return true;
}

static inline void made(enum access kind, const void *word, uint64_t value, uint64_t result)
{
	replay.has_moved = true;
	replay.place++;
	replay.half->value[replay.half->made++] = (LOGGED)result;
	note_access(kind, word, value);
}

static inline void plf_barrier(void)
{
}

#define LOAD(name, type)                                                                           \
	static inline type name(const type *word)                                                  \
	{                                                                                          \
		uint64_t value;                                                                    \
                                                                                                   \
		if (replay.half == NULL)                                                           \
			return *word;                                                              \
		if (is_new(&value)) {                                                              \
			value = *word;                                                             \
			made(ACCESS_LOAD, word, value, value);                                     \
		}                                                                                  \
		return (type)value;                                                                \
	}

#define STORE(name, type)                                                                          \
	static inline void name(type *word, type value)                                            \
	{                                                                                          \
		uint64_t ignored;                                                                  \
                                                                                                   \
		if (replay.half == NULL) {                                                         \
			*word = value;                                                             \
		} else if (is_new(&ignored)) {                                                     \
			*word = value;                                                             \
			made(ACCESS_STORE, word, value, 0);                                        \
		}                                                                                  \
	}

/* One instruction, or one that is begun anew after an interruption. */
#define CAS(name, type)                                                                            \
	static inline bool name(type *word, type expected, type desired)                           \
	{                                                                                          \
		uint64_t swapped;                                                                  \
                                                                                                   \
		if (is_new(&swapped)) {                                                            \
			swapped = *word == expected;                                               \
			if (swapped)                                                               \
				*word = desired;                                                   \
			made(swapped ? ACCESS_STORE : ACCESS_LOAD, word, *word, swapped);          \
		}                                                                                  \
		return swapped != 0;                                                               \
	}

LOAD(plf_load32, uint32_t)
LOAD(plf_load64, uint64_t)
STORE(plf_store32, uint32_t)
STORE(plf_store64, uint64_t)
CAS(plf_cas64, uint64_t)

/* ---- Words of several cores ------------------------------------------------ */

LOAD(plf_load_acquire32, uint32_t)
LOAD(plf_load_acquire64, uint64_t)
STORE(plf_store_release32, uint32_t)
STORE(plf_store_release64, uint64_t)

/* Here every step is seen by all at once; what a processor may reorder is memory-model's. */
static inline void plf_full_barrier(void)
{
}

/*
 * A swap that fails right behind one that failed is that one, made now: so a circle of retries
 * comes back to where it was, and any number of them is searched. Both begin with `seen`, and no
 * more.
 */
static inline bool is_retry(const void *word)
{
	return replay.place > 1 && replay.failed == word;
}

#define SHARED_CAS(name, type)                                                                     \
	static inline bool name(type *word, type *seen, type desired)                              \
	{                                                                                          \
		uint64_t swapped, found;                                                           \
                                                                                                   \
		if (replay.half == NULL) {                                                         \
			found = *word;                                                             \
			swapped = found == *seen;                                                  \
			if (swapped)                                                               \
				*word = desired;                                                   \
		} else if (!is_new(&swapped)) {                                                    \
			found = replay.half->value[replay.place++];                                \
			replay.failed = swapped ? NULL : word;                                     \
		} else {                                                                           \
			found = *word;                                                             \
			swapped = found == *seen;                                                  \
			note_access(ACCESS_LOAD, word, found);                                     \
			if (!swapped && is_retry(word)) {                                          \
				replay.half->value[replay.place - 1] = (LOGGED)found;              \
				replay.has_moved = true;                                           \
				*seen = (type)found;                                               \
				return false;                                                      \
			}                                                                          \
			if (swapped) {                                                             \
				*word = desired;                                                   \
				note_access(ACCESS_STORE, word, desired);                          \
			}                                                                          \
			replay.has_moved = true;                                                   \
			replay.half->value[replay.half->made++] = (LOGGED)swapped;                 \
			replay.half->value[replay.half->made++] = (LOGGED)found;                   \
			replay.place += 2;                                                         \
		}                                                                                  \
		*seen = (type)found;                                                               \
		return swapped != 0;                                                               \
	}

SHARED_CAS(plf_shared_cas32, uint32_t)
SHARED_CAS(plf_shared_cas64, uint64_t)

static inline uint32_t plf_shared_add32(uint32_t *word, uint32_t value)
{
	uint64_t found;

	if (is_new(&found)) {
		found = *word;
		note_access(ACCESS_LOAD, word, found);
		*word = (uint32_t)found + value;
		made(ACCESS_STORE, word, *word, found);
	}
	return (uint32_t)found;
}

/* One access each. */
#define SHARED_BIT(name, after)                                                                    \
	static inline uint64_t name(uint64_t *word, uint64_t bit)                                  \
	{                                                                                          \
		uint64_t found;                                                                    \
                                                                                                   \
		if (is_new(&found)) {                                                              \
			found = *word;                                                             \
			note_access(ACCESS_LOAD, word, found);                                     \
			*word = after;                                                             \
			made(ACCESS_STORE, word, *word, found);                                    \
		}                                                                                  \
		return found;                                                                      \
	}

SHARED_BIT(plf_shared_set64, found | bit)
SHARED_BIT(plf_shared_clear64, found & ~bit)

/* The others are made of these, as on AArch64; x86-64 has one instruction, so fewer boundaries. */
static inline bool plf_is32(const uint32_t *word, uint32_t value)
{
	return plf_load32(word) == value;
}

static inline bool plf_is64(const uint64_t *word, uint64_t value)
{
	return plf_load64(word) == value;
}

static inline uint64_t plf_minus64(uint64_t value, const uint64_t *word)
{
	return value - plf_load64(word);
}

static inline void plf_add64(uint64_t *word, uint64_t value)
{
	plf_store64(word, plf_load64(word) + value);
}

#endif
