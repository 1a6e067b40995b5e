/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_WAIT_H
#define PLF_PTHREAD_WAIT_H

/*
 * Around each blocking call of the C library. Before it, sections are committed. After it, the wake
 * hook waits for sections that cover the caller. In a signal handler that interrupted this library
 * both do nothing.
 */
#include "learn.h"
#include "member.h"

void plf_before_wait_inside(void);
void plf_look_up(void);

static inline void plf_before_wait(void)
{
	if (__builtin_expect(plf_me.published != 0, 0))
		plf_before_wait_inside();
	if (__builtin_expect(plf_learning, 0))
		plf_learn_wait_begin();
}

/*
 * The hook: look up if a section may cover the caller. A stranger is covered once there is a
 * protect mutex. Keeps errno.
 */
static inline void plf_uncover(void)
{
	if (__builtin_expect(plf_word_rank(plf_load64(plf_me.top)) >= plf_me.cover, 0))
		plf_look_up();
}

static inline void plf_after_wait(void)
{
	plf_uncover();
	if (__builtin_expect(plf_learning, 0))
		plf_learn_wait_end();
}

#endif
