/* SPDX-License-Identifier: MIT */
#ifndef PLF_IOC_LANES_H
#define PLF_IOC_LANES_H

/*
 * Several senders and one receiver, on one core or on several: each sender has a lane of its own, a
 * queue (ioc_queue.h) or a last value (ioc_last.h), and here is what makes one of these lanes.
 *
 * Source: AUTOSAR OS, IOC, for what the services of N:1 promise. The stamps: Vitanyi and Awerbuch
 * 1986, "Atomic shared register access by asynchronous hardware".
 *
 * Of queues, the receiver takes turns. It begins to look behind the lane that gave the last
 * message, so no sender keeps another's messages back.
 *
 * Of last values, that one is the last that has the latest stamp. A sender looks at the stamps of
 * all and takes the next one behind the latest. Nothing is counted by two, so there is no atomic
 * access that adds, and no retry.
 *
 * Invariants:
 *  N1  each lane, its stamp among it, has one sender. The turn is the receiver's;
 *  N2  of `lanes` lanes, one that has a message all the time gives one in `lanes` receives;
 *  N3  where the receiver finds all lanes empty, all were empty at the instant of its first look:
 *      only the receiver empties one;
 *  N4  a sender stores its stamp before its value can be found. So of two values the later stamp
 *      is that of the second one, where the first was written, or read, before the second was
 *      begun; where neither is so, they have an order nevertheless, which is that of stamps, and
 *      of equal ones that of lanes;
 *  N5  what is read is the last one in that order of all that can be found.
 *
 * Stamps go modulo 2^64. Whatever stands in one, it is but a number: a foul sender has a say in
 * which lane's value is the last one, and in nothing else.
 */
#include "word.h"

/* The lane behind this one. */
static inline uint32_t plf_ioc_lane_behind(uint32_t lane, uint32_t lanes)
{
	return lane + 1 < lanes ? lane + 1 : 0;
}

/* The lane to look at first. The receiver's. */
static inline uint32_t plf_ioc_turn(const uint32_t *turn, uint32_t lanes)
{
	uint32_t lane = plf_load32(turn);

	return lane < lanes ? lane : 0;
}

/* This lane has given a message. The receiver's. */
static inline void plf_ioc_turn_taken(uint32_t *turn, uint32_t lane, uint32_t lanes)
{
	plf_store32(turn, plf_ioc_lane_behind(lane, lanes));
}

static inline bool plf_ioc_stamp_is_later(uint64_t stamp, uint64_t other)
{
	return stamp - other - 1 < INT64_MAX;
}

/* The stamp of a lane; the first one's is at `stamps`, and the next `between` bytes behind it. */
static inline uint64_t *plf_ioc_stamp_of(char *stamps, uint32_t between, uint32_t lane)
{
	return (uint64_t *)(void *)&stamps[(uint64_t)lane * between];
}

/* The stamp for the next value of this lane. Its sender's. */
static inline uint64_t plf_ioc_stamp_take(char *stamps, uint32_t between, uint32_t lanes,
					  uint32_t own)
{
	uint64_t latest = plf_load64(plf_ioc_stamp_of(stamps, between, 0));

	for (uint32_t lane = 1; lane < lanes; lane++) {
		uint64_t stamp = plf_load64(plf_ioc_stamp_of(stamps, between, lane));

		if (plf_ioc_stamp_is_later(stamp, latest))
			latest = stamp;
	}
	plf_store64(plf_ioc_stamp_of(stamps, between, own), latest + 1);
	return latest + 1;
}

#endif
