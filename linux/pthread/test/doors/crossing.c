/* SPDX-License-Identifier: MIT */
#include "crossing.h"

#include <dlfcn.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static bool is_posted;

/* One side locks, the other unlocks, both with the ceiling. */
static void lock_and_unlock(const struct plug_in *door)
{
	assert_ok(door->lock(&mutex));
	assert_int_equal(effective_priority(), CEILING);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), LOW);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(door->trylock(&mutex), EBUSY);
	assert_ok(door->unlock(&mutex));
	assert_int_equal(effective_priority(), LOW);
}

/* The program waits; the door signals. */
static void post(void *argument)
{
	const struct plug_in *door = argument;

	assert_ok(door->lock(&mutex));
	is_posted = true;
	assert_ok(door->signal(&cond));
	assert_ok(door->unlock(&mutex));
}

static void wait_for_the_door(struct plug_in *door)
{
	struct member poster;

	is_posted = false;
	assert_ok(pthread_mutex_lock(&mutex));
	start(&poster, LOW, post, door);
	while (!is_posted)
		assert_ok(pthread_cond_wait(&cond, &mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
	join(&poster);
}

/* The door waits; the program signals. */
static void wait_by_the_door(void *argument)
{
	const struct plug_in *door = argument;

	assert_ok(door->lock(&mutex));
	while (!is_posted)
		assert_ok(door->wait(&cond, &mutex));
	assert_int_equal(effective_priority(), CEILING);
	assert_ok(door->unlock(&mutex));
}

static void signal_to_the_door(struct plug_in *door)
{
	struct member waiter;

	is_posted = false;
	start(&waiter, LOW + 1, wait_by_the_door, door);
	await_sleep(&waiter);
	assert_ok(pthread_mutex_lock(&mutex));
	is_posted = true;
	assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_mutex_unlock(&mutex));
	join(&waiter);
}

void cross(struct plug_in door)
{
	make_mutex(&mutex, CEILING, PTHREAD_MUTEX_NORMAL);
	lock_and_unlock(&door);
	wait_for_the_door(&door);
	signal_to_the_door(&door);
	assert_ok(pthread_mutex_destroy(&mutex));
}

void *found(void *address)
{
	if (address == NULL)
		fail_msg("%s", dlerror());
	return address;
}

struct plug_in *plug_in_of(void *handle)
{
	return found(dlsym(found(handle), "plug_in"));
}
