/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_REPLAY_H
#define DESIGN_REPLAY_H

/*
 * The accessors of protocol/word.h for models: a half stops at each access to a shared word.
 *
 * A task's half under way is stored as the number of its accesses so far and the values that they
 * returned. A step runs the function from its start. Earlier accesses return their stored values.
 * The next access is made, and the function is left before the access after it. So the model
 * explores every interleaving of the function itself.
 *
 * The kernel is not interrupted by tasks, so its accesses are all made at once.
 */
#define PLF_WORD_H /* replaces word.h */

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
	uint8_t made; /* number of accesses so far */
	uint8_t is_under_way;
};

enum access { ACCESS_LOAD, ACCESS_STORE, ACCESS_CALL };

/* The half that runs, or NULL in the kernel, and its position. Valid within a step only. */
static struct {
	struct half *half;
	unsigned place;
	bool has_moved;
	const void *failed; /* the word of the access before, if that was a swap that failed */
	jmp_buf stop;
} replay;

/* Notes a new access; defined by the world. */
static void note_access(enum access kind, const void *word, uint64_t value);

/* The half made more accesses than any half needs, so it is in a loop. */
static _Noreturn void note_endless(void);

/* Whether this access must be made now. If not, *result is its stored value. */
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

/* A single instruction, or a sequence that starts again after an interruption. */
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

/* Here all cores see every step at once. memory_model/ covers reordering by processors. */
static inline void plf_full_barrier(void)
{
}

/*
 * If a swap fails right after a failed swap of the same word, it replaces that swap. So a loop of
 * retries returns to its state, and any number of retries is searched. The half's state between the
 * two swaps must consist of `seen` only.
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

/* Each is one access. */
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

/* The others consist of these, as on AArch64. On x86-64 one instruction does both, so interleavings
 * there are a subset. */
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
