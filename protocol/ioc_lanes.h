/* SPDX-License-Identifier: MIT */
#ifndef PLF_IOC_LANES_H
#define PLF_IOC_LANES_H

/*
 * Several senders and one receiver, on one core or on several. Each sender has a lane: a queue
 * (ioc_queue.h) or a last value (ioc_last.h). This file combines the lanes.
 *
 * Source: AUTOSAR OS, IOC, for the promises of the N:1 services. The stamps: Vitanyi and Awerbuch
 * 1986, "Atomic shared register access by asynchronous hardware".
 *
 * With queues, the receiver takes turns. It starts behind the lane that gave the last message, so
 * no sender delays another's messages for long.
 *
 * With last values, the value with the latest stamp is the last. A sender reads all stamps and
 * takes the stamp after the latest. No counter has two writers, so no atomic addition and no retry
 * is needed.
 *
 * Invariants:
 *  N1  each lane, with its stamp, has one sender. Only the receiver writes the turn;
 *  N2  a lane that always has a message gives a message in every `lanes` receives;
 *  N3  if the receiver finds all lanes empty, all were empty at its first look, because only the
 *      receiver empties a lane;
 *  N4  a sender stores its stamp before its value can be found. If a value was written or read
 *      before a second write began, the second value has the later stamp. All other pairs are
 *      ordered by stamp, and for equal stamps by lane;
 *  N5  a read returns the last value in that order of all values that can be found.
 *
 * Stamps count modulo 2^64. A foul sender may store any stamp. It only influences which lane's
 * value is the last, because a stamp is a number and nothing else.
 */
#include "word.h"

/* Return the lane after this lane, in a circle. */
static inline uint32_t plf_ioc_lane_behind(uint32_t lane, uint32_t lanes)
{
	return lane + 1 < lanes ? lane + 1 : 0;
}

/* Return the lane to look at first. Only for the receiver. */
static inline uint32_t plf_ioc_turn(const uint32_t *turn, uint32_t lanes)
{
	uint32_t lane = plf_load32(turn);

	return lane < lanes ? lane : 0;
}

/* Note that this lane has given a message. Only for the receiver. */
static inline void plf_ioc_turn_taken(uint32_t *turn, uint32_t lane, uint32_t lanes)
{
	plf_store32(turn, plf_ioc_lane_behind(lane, lanes));
}

static inline bool plf_ioc_stamp_is_later(uint64_t stamp, uint64_t other)
{
	return stamp - other - 1 < INT64_MAX;
}

/*
 * Return a lane's stamp. The first stamp is at `stamps`, the others follow every `between` bytes.
 */
static inline uint64_t *plf_ioc_stamp_of(char *stamps, uint32_t between, uint32_t lane)
{
	return (uint64_t *)(void *)&stamps[(uint64_t)lane * between];
}

/* Take the stamp for the next value of the lane `own`. Only for its sender. */
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
