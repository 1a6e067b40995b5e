/* SPDX-License-Identifier: MIT */
#include "mutex.h"

#include "gate.h"

#include <string.h>

static bool is_valid_ceiling(int ceiling)
{
	return ceiling >= 1 && ceiling <= PLF_PRIORITY_MAX;
}

static enum plf_backend backend_of(struct plf_thread *t)
{
	return plf_slot_of(t)->backend;
}

static bool holds(const struct plf_thread *t, const plf_mutex_t *mutex)
{
	return plf_is_own(t, plf_load64(&mutex->word));
}

/* The frame that names T's innermost section; NULL: it has none open. */
static const struct plf_frame *innermost(struct plf_thread *t)
{
	uint32_t held;

	if (backend_of(t) != PLF_MODULE)
		return plf_newest(t);
	held = plf_module_held(t);
	return held > 0 ? &t->frame[held - 1] : NULL;
}

bool plf_is_inside(struct plf_thread *t)
{
	return innermost(t) != NULL;
}

bool plf_holds_last(struct plf_thread *t, const plf_mutex_t *mutex)
{
	const struct plf_frame *f = innermost(t);

	return f != NULL && plf_word_ref(plf_load64(&mutex->word)) == f->ref;
}

/* Sections pushed on a stack that was not empty leave frame 0 unused. */
uint32_t plf_held(struct plf_thread *t)
{
	uint64_t word = plf_load64(t->top);
	uint32_t held = 0;

	if (backend_of(t) == PLF_SYSCALL)
		return t->nested;
	if (backend_of(t) == PLF_MODULE)
		return plf_module_held(t);
	for (; word != 0; word = plf_load64(&plf_frame_of(t, word)->prev))
		held += plf_is_own(t, word);
	return held;
}

int plf_mutex_init(plf_mutex_t *mutex, int ceiling)
{
	if (!is_valid_ceiling(ceiling))
		return EINVAL;
	memset(mutex, 0, sizeof(*mutex));
	mutex->ceiling = (uint32_t)ceiling;
	return 0;
}

int plf_mutex_destroy(plf_mutex_t *mutex)
{
	if (plf_word_ref(plf_load64(&mutex->word)) != 0)
		return EBUSY;
	memset(mutex, 0, sizeof(*mutex));
	return 0;
}

int plf_mutex_getceiling(const plf_mutex_t *mutex, int *ceiling)
{
	if (!is_valid_ceiling((int)mutex->ceiling))
		return EINVAL;
	*ceiling = (int)mutex->ceiling;
	return 0;
}

int plf_admit(struct plf_thread *t, const plf_mutex_t *mutex, int ceiling)
{
	if (!plf_is_attached(t))
		return EPERM;
	if (!is_valid_ceiling(ceiling) || ceiling < plf_slot_of(t)->priority)
		return EINVAL;
	if (plf_load32(t->cpu_now) != t->cpu)
		return EXDEV;
	if (holds(t, mutex))
		return EDEADLK;
	return plf_held(t) == PLF_DEPTH_MAX ? EAGAIN : 0;
}

static bool is_bound_to(const plf_mutex_t *mutex, uint32_t cpu)
{
	return plf_load32(&mutex->bound) == cpu + 1;
}

bool plf_bind_to_cpu(plf_mutex_t *mutex, uint32_t cpu)
{
	uint32_t none = 0;

	if (is_bound_to(mutex, cpu))
		return true;
	__atomic_compare_exchange_n(&mutex->bound, &none, cpu + 1, false, __ATOMIC_SEQ_CST,
				    __ATOMIC_SEQ_CST);
	return is_bound_to(mutex, cpu);
}

/* Frame 0 for the bottom of the stack, else the next one from 1 on. */
static struct plf_frame *next_frame(struct plf_thread *t, uint64_t below)
{
	return &t->frame[below == 0 ? 0 : t->nested + 1];
}

/* Push one more frame, for a lock of that rank. */
static int push(struct plf_thread *t, uint32_t rank, bool may_wait)
{
	for (;;) {
		uint64_t below = plf_load64(t->top);
		struct plf_frame *f = next_frame(t, below);
		int error = 0;

		if (plf_is_covered(t, below)) {
			error = may_wait ? plf_wait_uncovered(t) : EBUSY;
		} else if (plf_publish(t, f, rank, below)) {
			t->nested += f->level != 0;
			return 0;
		}
		if (error != 0)
			return error;
	}
}

/* A nested frame that neither is on top nor covered is gone: the thread was torn out of its pop. */
static bool is_gone(const struct plf_thread *t, const struct plf_frame *f, uint64_t word)
{
	return plf_word_ref(word) != f->ref && !plf_is_covered(t, word);
}

/* F is over: the threads that sleep at its gates may look again. */
static void hand_off(struct plf_thread *t, struct plf_frame *f)
{
	plf_gate_release(&f->gate, t->tid);
	plf_gate_release(&f->second, t->tid);
}

/* Pop the newest frame, once no other lies above it. */
static int pop(struct plf_thread *t)
{
	struct plf_frame *f = plf_newest(t);
	uint64_t word = plf_load64(t->top);

	while (!is_gone(t, f, word)) {
		int error = 0;

		if (plf_word_ref(word) != f->ref)
			error = plf_wait_uncovered(t);
		else if (plf_unpublish(t, f, word))
			break;
		if (error != 0)
			return error;
		word = plf_load64(t->top);
	}
	t->nested -= f->level != 0;
	if (plf_load32(&f->gate.word) != 0)
		hand_off(t, f);
	return 0;
}

int plf_leave_last(struct plf_thread *t)
{
	if (backend_of(t) == PLF_SYSCALL)
		plf_eager_leave(t);
	else if (backend_of(t) == PLF_MODULE)
		plf_module_leave(t);
	else
		return pop(t);
	return 0;
}

/*
 * The new holder names itself, and learns the mutex's state. If the mutex still
 * names a thread, that one died inside: no living thread can be in (I3).
 */
static int claim(struct plf_thread *t, plf_mutex_t *mutex, uint32_t rank)
{
	uint32_t ref = plf_newest(t)->ref;

	if (plf_word_ref(plf_load64(&mutex->word)) != 0)
		mutex->state = PLF_MUTEX_INCONSISTENT;
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

static int enter(struct plf_thread *t, plf_mutex_t *mutex, bool may_wait)
{
	for (;;) {
		uint32_t ceiling = plf_load32(&mutex->ceiling);
		uint32_t rank = plf_rank(t->cpu, ceiling);
		int error = plf_admit(t, mutex, (int)ceiling);

		if (error != 0)
			return error;
		if (!plf_bind_to_cpu(mutex, t->cpu))
			return EXDEV;
		error = push(t, rank, may_wait);
		if (error != 0)
			return error;
		if (plf_load32(&mutex->ceiling) == ceiling)
			return claim(t, mutex, rank);
		error = pop(t); /* the ceiling was changed before we were in */
		if (error != 0)
			return error;
	}
}

static int lock(struct plf_thread *t, plf_mutex_t *mutex, bool may_wait)
{
	if (backend_of(t) == PLF_MODULE)
		return plf_module_lock(t, mutex, may_wait);
	if (backend_of(t) == PLF_SYSCALL)
		return plf_eager_lock(t, mutex, may_wait);
	return enter(t, mutex, may_wait);
}

int plf_mutex_lock_slow(plf_mutex_t *mutex, enum plf_outcome found)
{
	struct plf_thread *t = plf_self;
	int error = 0;

	if (found == PLF_RECHECK)
		error = plf_leave_last(t);
	return error != 0 ? error : lock(t, mutex, true);
}

int plf_mutex_trylock_slow(plf_mutex_t *mutex)
{
	return lock(plf_self, mutex, false);
}

/* The mutex is free before its frame goes: from then on others may lock it. */
int plf_mutex_unlock_slow(plf_mutex_t *mutex, enum plf_outcome found)
{
	struct plf_thread *t = plf_self;
	uint64_t word = plf_load64(&mutex->word);
	uint32_t state = mutex->state;
	int error;

	if (backend_of(t) == PLF_MODULE)
		return plf_module_unlock(t, mutex, found);
	if (found == PLF_HANDOFF) {
		hand_off(t, &t->frame[0]);
		return 0;
	}
	if (!plf_holds_last(t, mutex))
		return EPERM;
	if (state == PLF_MUTEX_INCONSISTENT)
		mutex->state = PLF_MUTEX_NOT_RECOVERABLE;
	__atomic_store_n(&mutex->word, plf_word_rank(word), __ATOMIC_RELEASE);
	error = plf_leave_last(t);
	if (error != 0) {
		plf_store64(&mutex->word, word);
		mutex->state = state;
	}
	return error;
}

int plf_mutex_consistent(plf_mutex_t *mutex)
{
	if (mutex->state != PLF_MUTEX_INCONSISTENT || !holds(plf_self, mutex))
		return EINVAL;
	mutex->state = PLF_MUTEX_CONSISTENT;
	return 0;
}

/*
 * Behind a section of the highest ceiling, so that no thread on this CPU is on its
 * way in. A holder's section is on the stack, and its ceiling at least the lock's.
 */
static int change_ceiling(struct plf_thread *t, plf_mutex_t *mutex, uint32_t ceiling)
{
	plf_mutex_t guard = PLF_MUTEX_INITIALIZER(PLF_PRIORITY_MAX);
	uint32_t rank = plf_rank(t->cpu, mutex->ceiling);
	int error = enter(t, &guard, true);

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

int plf_mutex_setceiling(plf_mutex_t *mutex, int ceiling, int *old)
{
	struct plf_thread *t = plf_self;
	int before;
	int error;

	if (!is_valid_ceiling(ceiling) || plf_mutex_getceiling(mutex, &before) != 0)
		return EINVAL;
	if (!plf_is_attached(t))
		return EPERM;
	if (backend_of(t) == PLF_SYSCALL)
		error = plf_eager_set_ceiling(t, mutex, (uint32_t)ceiling);
	else if (backend_of(t) == PLF_MODULE)
		error = plf_module_set_ceiling(t, mutex, (uint32_t)ceiling);
	else
		error = change_ceiling(t, mutex, (uint32_t)ceiling);
	if (error == 0 && old != NULL)
		*old = before;
	return error;
}
