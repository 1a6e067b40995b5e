/* SPDX-License-Identifier: MIT */

/*
 * Keeper `frames`: the ceiling stack of protocol/ceiling_stack.h. A section is a frame on the stack
 * of its CPU. A thread that the frame covers sleeps at the frame's gate. Any stock kernel will do.
 */
#include "admission.h"
#include "gate.h"
#include "keeper.h"

/* Frame 0 on an empty stack, otherwise the next of the frames from 1 on. */
static struct plf_frame *next_frame(struct plf_thread *t, uint64_t below)
{
	return &t->frame[below == 0 ? 0 : t->nested + 1];
}

/* Push a frame for a lock of that rank, as soon as no frame covers T. */
static int push(struct plf_thread *t, uint32_t rank, uint64_t until_ns)
{
	for (;;) {
		uint64_t below = plf_load64(t->top);
		struct plf_frame *f = next_frame(t, below);
		int error = 0;

		if (plf_is_covered(t, below)) {
			error = until_ns == PLF_NOT_AT_ALL ? EBUSY
							   : plf_wait_uncovered(t, until_ns);
		} else if (plf_publish(t, f, rank, below, &plf_by_cas) == PLF_WRITTEN) {
			t->nested += f->level != 0;
			return 0;
		}
		if (error != 0)
			return error;
	}
}

/* Is F popped already? If it is neither on top nor covered, T was torn out of the pop. */
static bool is_gone(const struct plf_thread *t, const struct plf_frame *f, uint64_t word)
{
	return plf_word_ref(word) != f->ref && !plf_is_covered(t, word);
}

/* Pop the newest frame, as soon as no frame of another thread lies above it. */
static int pop(struct plf_thread *t)
{
	struct plf_frame *f = plf_newest(t);
	uint64_t word = plf_load64(t->top);

	while (!is_gone(t, f, word)) {
		int error = 0;

		if (plf_word_ref(word) != f->ref)
			error = plf_wait_uncovered(t, PLF_WITHOUT_END);
		else if (plf_unpublish(t, f, word, &plf_by_cas) == PLF_WRITTEN)
			break;
		if (error != 0)
			return error;
		word = plf_load64(t->top);
	}
	t->nested -= f->level != 0;
	if (plf_load32(&f->gate.word) != 0)
		plf_gates_release(f, t->tid);
	return 0;
}

/*
 * Name T as the new holder, and learn the mutex's state. If the mutex still names a thread, that
 * thread died inside, because no living thread can be inside (I3).
 */
static int claim(struct plf_thread *t, plf_mutex_t *mutex, uint32_t rank)
{
	uint32_t ref = plf_newest(t)->ref;

	if (plf_word_ref(plf_load64(&mutex->word)) != 0)
		plf_learn_of_death(mutex);
	else if (mutex->state ==
		 PLF_MUTEX_INCONSISTENT) /* unlocked by the fast path, not repaired */
		mutex->state = PLF_MUTEX_NOT_RECOVERABLE;
	if (mutex->state == PLF_MUTEX_NOT_RECOVERABLE) {
		int error = pop(t);

		return error != 0 ? error : ENOTRECOVERABLE;
	}
	plf_store64(&mutex->word, plf_word(ref, mutex->state == PLF_MUTEX_CONSISTENT ? rank : 0));
	return mutex->state == PLF_MUTEX_CONSISTENT ? 0 : EOWNERDEAD;
}

/* A thread that was granted the mutex pushes with the rank of its section (I2 of global.c). */
static int open_global(struct plf_thread *t, bool granted, uint64_t until_ns)
{
	uint32_t rank = plf_global_rank(t->cpu, (uint32_t)plf_slot_of(t)->priority);
	uint32_t base = t->rank;
	int error;

	if (granted)
		t->rank = rank;
	error = push(t, rank, until_ns);
	t->rank = base;
	plf_slot_of(t)->global_word = plf_word(t->ref, rank); /* allows the fast path */
	return error;
}

static int lock(struct plf_thread *t, plf_mutex_t *mutex, uint64_t until_ns)
{
	for (;;) {
		uint32_t ceiling = plf_load32(&mutex->ceiling);
		uint32_t rank = plf_rank(t->cpu, ceiling);
		int error = plf_admit(t, mutex, (int)ceiling, plf_frames_there(t));

		if (error != 0)
			return error;
		if (!plf_bind_to_cpu(mutex, t->cpu))
			return EXDEV;
		error = push(t, rank, until_ns);
		if (error != 0)
			return error;
		if (plf_load32(&mutex->ceiling) == ceiling)
			return claim(t, mutex, rank);
		error = pop(t); /* the ceiling was changed meanwhile */
		if (error != 0)
			return error;
	}
}

/*
 * Free the mutex before its frame goes, because other threads may lock it from then on. The inline
 * half has changed nothing.
 */
static int unlock(struct plf_thread *t, plf_mutex_t *mutex, enum plf_outcome found)
{
	uint64_t word = plf_load64(&mutex->word);
	uint8_t state = mutex->state;
	int error;

	(void)found;
	if (!plf_is_named(plf_newest(t), mutex))
		return EPERM;
	if (state == PLF_MUTEX_INCONSISTENT)
		mutex->state = PLF_MUTEX_NOT_RECOVERABLE;
	__atomic_store_n(&mutex->word, plf_word_rank(word), __ATOMIC_RELEASE);
	error = pop(t);
	if (error != 0) {
		plf_store64(&mutex->word, word);
		mutex->state = state;
	}
	return error;
}

/*
 * While T has locked MUTEX again, the word names the place behind T's frames, which no frame has.
 * Its lower half is the level of the frame that holds MUTEX. So the short paths find none of their
 * frames in the word.
 */
static void hold_again(struct plf_thread *t, plf_mutex_t *mutex, bool is_again)
{
	uint64_t word = plf_load64(&mutex->word);
	uint32_t rank = mutex->state == PLF_MUTEX_CONSISTENT ? plf_rank(t->cpu, mutex->ceiling) : 0;

	if (is_again)
		word = plf_word(t->ref + PLF_FRAMES, plf_word_ref(word) - t->ref);
	else
		word = plf_word(t->ref + plf_word_rank(word), rank);
	plf_store64(&mutex->word, word);
}

/*
 * Change the ceiling inside a section of the highest ceiling, so that no thread on this CPU is
 * about to lock MUTEX. If MUTEX is held, its section is on the stack, with a ceiling not below the
 * lock's.
 */
static int set_ceiling(struct plf_thread *t, plf_mutex_t *mutex, uint32_t ceiling)
{
	plf_mutex_t guard = PLF_MUTEX_INITIALIZER(PLF_PRIORITY_MAX);
	uint32_t rank = plf_rank(t->cpu, mutex->ceiling);
	int error = lock(t, &guard, PLF_WITHOUT_END);

	if (error != 0)
		return error;
	if (!plf_bind_to_cpu(mutex, t->cpu))
		error = EXDEV;
	else if (plf_word_rank(plf_load64(&plf_newest(t)->prev)) >= rank)
		error = EBUSY;
	else {
		plf_store32(&mutex->ceiling, ceiling);
		plf_store_half(plf_low32(&mutex->word),
			       0); /* the next locker's slow path sets it */
	}
	pop(t);
	return error;
}

static int join(struct plf_thread *t)
{
	plf_slot_use_stack(plf_slot_of(t));
	return 0;
}

const struct plf_keeper plf_frames = {
	.name = "user",
	.flag = PLF_BACKEND_USER,
	.strict_max = PLF_PRIORITY_MAX,
	.needs_cpu = true,
	.join = join,
	.lock = lock,
	.unlock = unlock,
	.hold_again = hold_again,
	.open_global = open_global,
	.leave = pop,
	.set_ceiling = set_ceiling,
	.held = plf_frames_there,
	.innermost = plf_newest,
};
