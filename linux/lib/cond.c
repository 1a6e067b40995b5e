/* SPDX-License-Identifier: MIT */

/*
 * A condition variable: a queue of thread slots, which a mutex of the highest ceiling guards, and a
 * word to sleep on in each slot. A signal chooses the waiter inside the queue's section. So it
 * cannot go to a thread that came later, and cannot be lost.
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

/* Enter the queue's section. Drop the waiters of a parent process. */
static int open_queue(plf_cond_t *cond)
{
	int error = plf_mutex_lock(&cond->queue_lock);

	if (error == EOWNERDEAD) /* in a child, of a parent's thread: the queue is dropped below */
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

/* By priority, and first come first among equals. The time grows with the number of waiters. */
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

/* Change the state of SLOT's thread in the queue. False: it is not asleep any more. */
static bool mark(struct plf_slot *slot, uint32_t wake)
{
	uint32_t asleep = PLF_WAKE_ASLEEP;

	return __atomic_compare_exchange_n(&slot->wake, &asleep, wake, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}

/*
 * Take out the first waiter, and mark it as chosen; NULL: no thread waits. Waiters that are gone
 * are taken out on the way.
 */
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

/* Returns 0 if the slot was chosen, ETIMEDOUT, or another error of the kernel. */
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
 * The sleep ended because of `why`. If another thread chose SLOT before that, return 0. A thread
 * that may not enter the queue's section (on another CPU) stays in the queue, marked as gone.
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

/* Leave the queue in which an earlier wait had to leave SLOT. */
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
	if (error != 0) { /* enter no section: the thread may be on another CPU */
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
 * Wake all waiters inside the section. Otherwise a woken thread could wait again, and be woken
 * again in place of another, before the last waiter is woken.
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
