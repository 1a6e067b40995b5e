/* SPDX-License-Identifier: MIT */

/*
 * A condition variable: a queue of thread slots, guarded by a mutex of the
 * highest ceiling, and one word a thread to sleep on. The choice of the waiter is made
 * inside the queue's section, so a signal can neither go to a thread that came
 * later nor be lost.
 */
#include "admission.h"
#include "futex.h"
#include "keeper.h"
#include "wait.h"

#include <string.h>

static struct plf_slot *slot_number(uint32_t number)
{
	return number == 0 ? NULL : &plf_arena->slot[number - 1];
}

static uint32_t number_of(const struct plf_slot *slot)
{
	return (uint32_t)(slot - plf_arena->slot) + 1;
}

void plf_cond_init(plf_cond_t *cond)
{
	memset(cond, 0, sizeof(*cond));
	plf_mutex_init(&cond->queue_lock, PLF_PRIORITY_MAX);
}

int plf_cond_destroy(plf_cond_t *cond)
{
	if (cond->first != 0 && cond->epoch == plf_fork_epoch)
		return EBUSY;
	memset(cond, 0, sizeof(*cond));
	return 0;
}

/* Enter the queue. The waiters of a parent process are not ours. */
static int open_queue(plf_cond_t *cond)
{
	int error = plf_mutex_lock(&cond->queue_lock);

	if (error == EOWNERDEAD) /* of the parent's, in a child: the queue is dropped below */
		error = plf_mutex_consistent(&cond->queue_lock);
	if (error == 0 && cond->epoch != plf_fork_epoch) {
		cond->first = 0;
		cond->epoch = plf_fork_epoch;
	}
	return error;
}

static void close_queue(plf_cond_t *cond)
{
	plf_mutex_unlock(&cond->queue_lock);
}

/* By priority, first come first among equals. Grows with the number of waiters. */
static void enqueue(plf_cond_t *cond, struct plf_slot *slot)
{
	uint32_t *link = &cond->first;

	while (*link != 0 && slot_number(*link)->priority >= slot->priority)
		link = &slot_number(*link)->next;
	slot->next = *link;
	slot->queue = cond;
	slot->wake = PLF_WAKE_ASLEEP;
	*link = number_of(slot);
}

static void dequeue(plf_cond_t *cond, struct plf_slot *slot)
{
	uint32_t *link = &cond->first;

	while (*link != number_of(slot))
		link = &slot_number(*link)->next;
	*link = slot->next;
	__atomic_store_n(&slot->queue, NULL, __ATOMIC_SEQ_CST);
}

/* Change the state of SLOT's thread in the queue. False: it is asleep no more. */
static bool mark(struct plf_slot *slot, uint32_t wake)
{
	uint32_t asleep = PLF_WAKE_ASLEEP;

	return __atomic_compare_exchange_n(&slot->wake, &asleep, wake, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}

/* The first waiter, marked as woken; NULL: none waits. The gone are taken out on the way. */
static struct plf_slot *choose(plf_cond_t *cond)
{
	struct plf_slot *slot;

	while ((slot = slot_number(cond->first)) != NULL) {
		bool is_chosen = mark(slot, PLF_WAKE_CHOSEN);

		dequeue(cond, slot);
		if (is_chosen)
			break;
	}
	return slot;
}

/* The reason of its end: 0 if the slot was chosen, ETIMEDOUT, or another error of the kernel. */
static int sleep_in_queue(struct plf_slot *slot, uint64_t time_ns)
{
	struct timespec until = plf_timespec(time_ns);
	const struct timespec *deadline = time_ns == PLF_WITHOUT_END ? NULL : &until;
	int error = 0;

	while (__atomic_load_n(&slot->wake, __ATOMIC_SEQ_CST) == PLF_WAKE_ASLEEP) {
		error = plf_futex_wait(&slot->wake, PLF_WAKE_ASLEEP, deadline);
		if (error != 0 && error != EAGAIN && error != EINTR)
			return error;
	}
	return 0;
}

/*
 * The sleep ended because of `why`; unless another thread chose us before we could say so. A thread
 * that may not enter the queue (on another CPU) stays in it as one that is gone.
 */
static int give_up(plf_cond_t *cond, struct plf_slot *slot, int why)
{
	bool was_waiting = mark(slot, PLF_WAKE_GONE);
	int error = open_queue(cond);

	if (error != 0)
		return error;
	if (slot->queue != NULL)
		dequeue(cond, slot);
	close_queue(cond);
	return was_waiting ? why : 0;
}

/* In which a wait had to leave SLOT. */
static int leave_old_queue(struct plf_slot *slot)
{
	return slot->queue == NULL ? 0 : give_up(slot->queue, slot, 0);
}

/* Is MUTEX the section that T entered last, and locked once? */
static bool holds_last(struct plf_thread *t, const plf_mutex_t *mutex)
{
	return plf_is_attached(t) && mutex->again == 0 &&
	       plf_is_named(plf_slot_of(t)->keeper->innermost(t), mutex);
}

int plf_cond_wait_until(plf_cond_t *cond, plf_mutex_t *mutex, uint64_t time_ns)
{
	struct plf_thread *t = plf_self;
	struct plf_slot *slot = plf_slot_of(t);
	int error, lock_error, why;

	if (plf_is_global(mutex))
		return EINVAL;
	if (!holds_last(t, mutex))
		return EPERM;
	error = plf_wait_begin(t, plf_held(t) - 1);
	if (error == 0)
		error = leave_old_queue(slot);
	if (error == 0)
		error = open_queue(cond);
	if (error != 0)
		return error;
	enqueue(cond, slot);
	close_queue(cond);
	error = plf_mutex_unlock(mutex);
	if (error != 0) {
		give_up(cond, slot, error);
		return error;
	}
	plf_wait_sleep(t);
	why = sleep_in_queue(slot, time_ns);
	error = plf_wait_end(0);
	if (error != 0) { /* in no section at all: it may not be on its CPU */
		mark(slot, PLF_WAKE_GONE);
		return error;
	}
	if (why != 0)
		error = give_up(cond, slot, why);
	lock_error = plf_mutex_lock(mutex);
	return lock_error != 0 ? lock_error : error;
}

int plf_cond_signal(plf_cond_t *cond)
{
	struct plf_slot *slot;
	int error = plf_is_attached(plf_self) ? open_queue(cond) : EPERM;

	if (error != 0)
		return error;
	slot = choose(cond);
	close_queue(cond);
	if (slot != NULL)
		plf_futex_wake(&slot->wake);
	return 0;
}

/*
 * All wake-ups happen inside the section: no thread that was woken can wait again,
 * and be woken again in place of another, before the last is woken.
 */
int plf_cond_broadcast(plf_cond_t *cond)
{
	struct plf_slot *slot;
	int error = plf_is_attached(plf_self) ? open_queue(cond) : EPERM;

	if (error != 0)
		return error;
	while ((slot = choose(cond)) != NULL)
		plf_futex_wake(&slot->wake);
	close_queue(cond);
	return 0;
}
