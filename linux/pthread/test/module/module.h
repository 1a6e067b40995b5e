/* SPDX-License-Identifier: MIT */
#ifndef MODULE_H
#define MODULE_H

/*
 * The common base of the tests with plafond.ko: the mutexes, and the ways to make the kernel
 * act, and to read its answers.
 */
#include "team.h"

#include <semaphore.h>

enum { CEILING = 40, LOCKS = 20, RAISES = 2 };

/* Of CEILING, 20 and 30. */
extern pthread_mutex_t mutex, inner, middle;
extern sem_t sem;

/* Setup of each test. */
int setup(void **state);

/* The kernel's priority of the calling thread, and the policy that it shows. */
int kernel_own(void);

/* The calling thread has that priority, and no section that lends it another. */
void expect_outside(int priority);

/* Ways to make the kernel act on a claim: the question, or the loss of the CPU. */
void ask(void);
void rest(void);
extern void (*const raises[RAISES])(void);

void lock_often(int times);

/* Once; and the thread, which is LOW, is raised meanwhile. */
void lock_raised(void *unused);

#endif
