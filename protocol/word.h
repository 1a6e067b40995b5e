/* SPDX-License-Identifier: MIT */
#ifndef PLF_WORD_H
#define PLF_WORD_H

/*
 * Accessors for the words that several threads share. A protocol file must access shared words only
 * through these functions, so that a reader sees every ordering and a proof can interpose.
 *
 * Words of a single CPU: all threads that share such a word run on the same CPU. They see each
 * other only across a preemption, which is a full barrier. So the compiler must keep the order of
 * the accesses, which volatile ensures, but the processor need not. A compare-and-swap needs no
 * LOCK prefix and no acquire or release form, because it must only be indivisible with respect to a
 * preemption. The exception is a 32-bit word that is a futex: the kernel also writes it, perhaps on
 * another CPU after the thread was moved.
 *
 * Words of several CPUs: use plf_load_acquire32() and the functions after it.
 */
#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stdint.h>
#endif

/* The compiler moves no plain access of a critical section across this call. */
static inline void plf_barrier(void)
{
	__asm__ volatile("" ::: "memory");
}

static inline uint32_t plf_load32(const uint32_t *word)
{
	return *(const volatile uint32_t *)word;
}

static inline uint64_t plf_load64(const uint64_t *word)
{
	return *(const volatile uint64_t *)word;
}

static inline void plf_store32(uint32_t *word, uint32_t value)
{
	*(volatile uint32_t *)word = value;
}

static inline void plf_store64(uint64_t *word, uint64_t value)
{
	*(volatile uint64_t *)word = value;
}

/* The halves of a 64-bit word on a little-endian processor. */
typedef uint32_t plf_half __attribute__((may_alias));

struct plf_halves {
	uint32_t low, high;
} __attribute__((may_alias));

static inline plf_half *plf_low32(uint64_t *word)
{
	return (plf_half *)word;
}

static inline plf_half *plf_high32(uint64_t *word)
{
	return (plf_half *)word + 1;
}

static inline uint32_t plf_load_half(const plf_half *half)
{
	return *(const volatile plf_half *)half;
}

static inline void plf_store_half(plf_half *half, uint32_t value)
{
	*(volatile plf_half *)half = value;
}

/*
 * Words of several CPUs. No other CPU sees an access behind an acquire, or before a release, out of
 * that order. Only plf_full_barrier() orders a store before a later load of another word.
 * plf_load32() and the other plain accessors order nothing between CPUs.
 */
static inline uint32_t plf_load_acquire32(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline uint64_t plf_load_acquire64(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void plf_store_release32(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline void plf_store_release64(uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline void plf_full_barrier(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/*
 * Write `desired` if the word still holds `*seen`, with acquire and release. Return false and
 * update `*seen` if the word holds another value.
 */
static inline __attribute__((warn_unused_result)) bool
plf_shared_cas32(uint32_t *word, uint32_t *seen, uint32_t desired)
{
	return __atomic_compare_exchange_n(word, seen, desired, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_ACQUIRE);
}

static inline __attribute__((warn_unused_result)) bool
plf_shared_cas64(uint64_t *word, uint64_t *seen, uint64_t desired)
{
	return __atomic_compare_exchange_n(word, seen, desired, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_ACQUIRE);
}

/* Add to the word and return the value before, with acquire and release. */
static inline uint32_t plf_shared_add32(uint32_t *word, uint32_t value)
{
	return __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);
}

/*
 * Set a clear bit, or clear a set bit, and return the word's value before, with acquire and
 * release. The caller must know that the bit has the other value. On x86-64 the sum is then the
 * union, and LOCK XADD never retries. LDSETAL and LDCLRAL do not retry either, if the processor has
 * them. LDAXR and STLXR retry when another CPU wrote the word in between, at most once for each of
 * its accesses.
 */
#if defined(__x86_64__)

static inline __attribute__((warn_unused_result)) uint64_t plf_shared_set64(uint64_t *word,
									    uint64_t bit)
{
	return __atomic_fetch_add(word, bit, __ATOMIC_ACQ_REL);
}

static inline __attribute__((warn_unused_result)) uint64_t plf_shared_clear64(uint64_t *word,
									      uint64_t bit)
{
	return __atomic_fetch_sub(word, bit, __ATOMIC_ACQ_REL);
}

#else

static inline __attribute__((warn_unused_result)) uint64_t plf_shared_set64(uint64_t *word,
									    uint64_t bit)
{
	return __atomic_fetch_or(word, bit, __ATOMIC_ACQ_REL);
}

static inline __attribute__((warn_unused_result)) uint64_t plf_shared_clear64(uint64_t *word,
									      uint64_t bit)
{
	return __atomic_fetch_and(word, ~bit, __ATOMIC_ACQ_REL);
}

#endif

/*
 * plf_cas32() and plf_cas64(): write `desired` if the word still holds `expected`, and return
 * whether it did.
 */
#if defined(__x86_64__)

/*
 * Return whether the word holds `value`. One instruction, which the compiler does not generate for
 * a volatile load.
 */
static inline bool plf_is32(const plf_half *word, uint32_t value)
{
	bool equal;

	__asm__ volatile("cmpl %[value], %[word]"
			 : "=@ccz"(equal)
			 : [word] "m"(*word), [value] "re"(value)
			 : "memory");
	return equal;
}

/*
 * The same for the upper half. As a field, it needs no second address register beside the word's.
 */
static inline bool plf_is_high32(const uint64_t *word, uint32_t value)
{
	const struct plf_halves *halves = (const struct plf_halves *)word;
	bool equal;

	__asm__ volatile("cmpl %[value], %[half]"
			 : "=@ccz"(equal)
			 : [half] "m"(halves->high), [value] "re"(value)
			 : "memory");
	return equal;
}

static inline bool plf_is64(const uint64_t *word, uint64_t value)
{
	bool equal;

	__asm__ volatile("cmpq %[value], %[word]"
			 : "=@ccz"(equal)
			 : [word] "m"(*word), [value] "re"(value)
			 : "memory");
	return equal;
}

/* Return `value` minus the word, in one instruction for the same reason. */
static inline uint64_t plf_minus64(uint64_t value, const uint64_t *word)
{
	__asm__ volatile("subq %[word], %[value]"
			 : [value] "+r"(value)
			 : [word] "m"(*word)
			 : "memory", "cc");
	return value;
}

/* Add to a word that no other thread writes meanwhile. */
static inline void plf_add64(uint64_t *word, uint64_t value)
{
	__asm__ volatile("addq %[value], %[word]"
			 : [word] "+m"(*word)
			 : [value] "re"(value)
			 : "memory", "cc");
}

static inline bool plf_cas32(uint32_t *word, uint32_t expected, uint32_t desired)
{
	bool swapped;

	__asm__ volatile("lock; cmpxchgl %[desired], %[word]"
			 : "=@ccz"(swapped), [word] "+m"(*word), "+a"(expected)
			 : [desired] "r"(desired)
			 : "memory");
	return swapped;
}

static inline bool plf_cas64(uint64_t *word, uint64_t expected, uint64_t desired)
{
	bool swapped;

	__asm__ volatile("cmpxchgq %[desired], %[word]"
			 : "=@ccz"(swapped), [word] "+m"(*word), "+a"(expected)
			 : [desired] "r"(desired)
			 : "memory");
	return swapped;
}

#elif defined(__aarch64__)

static inline bool plf_is32(const plf_half *word, uint32_t value)
{
	return plf_load_half(word) == value;
}

static inline bool plf_is_high32(const uint64_t *word, uint32_t value)
{
	return (uint32_t)(plf_load64(word) >> 32) == value;
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

/* A preemption clears the exclusive monitor, so STXR fails and the loop reads the word again. */
static inline bool plf_cas32(uint32_t *word, uint32_t expected, uint32_t desired)
{
	uint32_t seen, failed;

	__asm__ volatile("1:	ldxr	%w[seen], %[word]\n"
			 "	cmp	%w[seen], %w[expected]\n"
			 "	b.ne	2f\n"
			 "	stxr	%w[failed], %w[desired], %[word]\n"
			 "	cbnz	%w[failed], 1b\n"
			 "2:"
			 : [seen] "=&r"(seen), [failed] "=&r"(failed), [word] "+Q"(*word)
			 : [expected] "r"(expected), [desired] "r"(desired)
			 : "memory", "cc");
	return seen == expected;
}

static inline bool plf_cas64(uint64_t *word, uint64_t expected, uint64_t desired)
{
	uint64_t seen;
	uint32_t failed;

	__asm__ volatile("1:	ldxr	%[seen], %[word]\n"
			 "	cmp	%[seen], %[expected]\n"
			 "	b.ne	2f\n"
			 "	stxr	%w[failed], %[desired], %[word]\n"
			 "	cbnz	%w[failed], 1b\n"
			 "2:"
			 : [seen] "=&r"(seen), [failed] "=&r"(failed), [word] "+Q"(*word)
			 : [expected] "r"(expected), [desired] "r"(desired)
			 : "memory", "cc");
	return seen == expected;
}

#else
#error "plafond knows x86-64 and AArch64: add this processor's compare-and-swap here"
#endif

#endif
