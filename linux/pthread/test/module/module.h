/* SPDX-License-Identifier: MIT */
#ifndef MODULE_H
#define MODULE_H

/*
 * The common base of the tests with plafond.ko: the mutexes, and functions that make the kernel act
 * and read its answers.
 */
#include "team.h"

#include <semaphore.h>

enum { CEILING = 40, LOCKS = 20, RAISES = 2 };

/* With the ceilings CEILING, 20 and 30. */
extern pthread_mutex_t mutex, inner, middle;
extern sem_t sem;

int setup(void **state);

/* The caller's priority in the kernel. */
int kernel_own(void);

/* Check that the caller has that priority, and that no section lends it another. */
void expect_outside(int priority);

/* Make the kernel act on a claim: by a query, or by the loss of the CPU. */
void ask(void);
void rest(void);
extern void (*const raises[RAISES])(void);

void lock_often(int times);

/* Lock a mutex, and be raised meanwhile. The caller must have the priority LOW. */
void lock_raised(void *unused);

#endif
