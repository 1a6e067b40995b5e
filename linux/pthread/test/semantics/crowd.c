/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "crowd.h"
#include "../../../real_time/test/patience.h"

#include <unistd.h>

static unsigned draw(struct visitor *visitor, unsigned below)
{
	visitor->seed = visitor->seed * 1664525U + 1013904223U;
	return (visitor->seed >> 16) % below;
}

static bool enter(struct visitor *visitor, pthread_mutex_t *mutex)
{
	struct timespec end;
	int error = 0;

	switch (draw(visitor, 8)) {
	case 0:
		error = pthread_mutex_trylock(mutex);
		assert_true(error == 0 || error == EBUSY);
		return error == 0;
	case 1:
		end = in_ms(CLOCK_REALTIME, PLF_HUNG_S * 1000);
		error = pthread_mutex_timedlock(mutex, &end);
		break;
	case 2:
		end = in_ms(CLOCK_MONOTONIC, PLF_HUNG_S * 1000);
		error = pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &end);
		break;
	default:
		error = pthread_mutex_lock(mutex);
	}
	assert_int_equal(error, 0);
	return true;
}

/* Not an atomic increment, so that two threads inside lose a visit. */
static void be_inside(struct visitor *visitor, struct room *room)
{
	long visits = room->visits;

	assert_int_equal(room->inside++, 0);
	if (draw(visitor, 100) == 0)
		usleep(20);
	else if (draw(visitor, 4) == 0)
		stay_busy_us(draw(visitor, 8));
	room->visits = visits + 1;
	assert_int_equal(--room->inside, 0);
}

static void visit_one(struct visitor *visitor, unsigned i, bool may_nest)
{
	struct crowd *crowd = visitor->crowd;

	if (!enter(visitor, &crowd->room[i].mutex))
		return;
	be_inside(visitor, &crowd->room[i]);
	if (may_nest && draw(visitor, 3) == 0)
		visit_one(visitor, 1, false);
	crowd->visits[i]++;
	assert_ok(pthread_mutex_unlock(&crowd->room[i].mutex));
}

void visit(void *argument)
{
	struct visitor *visitor = argument;
	struct crowd *crowd = visitor->crowd;

	for (int i = 0; visitor->rounds == 0 ? !crowd->over : i < visitor->rounds; i++) {
		unsigned room = draw(visitor, 2);

		visit_one(visitor, room, room == 0);
		if (draw(visitor, 30) == 0)
			usleep(draw(visitor, 60));
	}
}

void open_crowd(struct crowd *crowd, int type)
{
	memset(crowd, 0, sizeof(*crowd));
	make_mutex(&crowd->room[0].mutex, 40, type);
	make_mutex(&crowd->room[1].mutex, 50, type);
}

void close_crowd(struct crowd *crowd)
{
	for (int i = 0; i < 2; i++) {
		assert_int_equal(crowd->room[i].visits, crowd->visits[i]);
		assert_true(crowd->visits[i] > 0);
		assert_ok(pthread_mutex_trylock(&crowd->room[i].mutex));
		assert_ok(pthread_mutex_unlock(&crowd->room[i].mutex));
		assert_ok(pthread_mutex_destroy(&crowd->room[i].mutex));
	}
}
