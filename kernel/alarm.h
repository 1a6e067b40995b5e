/* SPDX-License-Identifier: MIT */
#ifndef PLF_ALARM_H
#define PLF_ALARM_H

#include "config.h"

/* An alarm that is set is on the list of its counter, which is sorted by expiry. */
struct plf_alarm {
	uint64_t expires; /* in ticks of the counter since the start, which do not wrap */
	uint32_t cycle;	  /* 0: once */
	uint8_t next;	  /* index + 1; 0: the last */
	bool is_set;
};

struct plf_counter {
	uint64_t ticks;			/* only of a software counter */
	uint8_t first[PLF_ALARM_LISTS]; /* index + 1; 0: no alarm is set. See kernel/server.h */
};

extern struct plf_alarm plf_alarms[PLF_ALL_ALARMS + 1];
extern struct plf_counter plf_counters[PLF_COUNTERS + 1];

/* Return the counter's ticks since the start. */
uint64_t plf_counter_ticks(unsigned counter);

/* Set the port's timer for the alarm that expires next. */
void plf_set_timer(void);

/*
 * Let all due alarms of the counter's list expire. Time grows with their number. If alarms
 * increment counters, the alarms form no circle and at most eight are in a row, and each counter
 * has at most a single such alarm: describe/counter_rules.py. So each tick lets an alarm expire at
 * most once, and the kernel's stack has room for the nested calls.
 */
void plf_expire(unsigned counter);

/* Advance a software counter by a tick. */
static inline void plf_tick(unsigned counter)
{
	plf_counters[counter].ticks++;
	plf_expire(counter);
}

#endif
