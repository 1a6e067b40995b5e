/* SPDX-License-Identifier: MIT */
#ifndef STAGE_H
#define STAGE_H

/*
 * An ordinary pthread program, which runs under the drop-in. All its threads are SCHED_FIFO and
 * pinned to the same CPU, so each test is a single sequence of steps. If a thread makes a more
 * urgent thread ready, that thread runs at once; the first goes on when it sleeps.
 *
 *  HOLDER  the main thread, which holds the mutex
 *  MIDDLE  below the ceiling: a section covers it
 *  WORLD   above the ceiling: plays the outside, which wakes a sleeper
 */
#include <pthread.h>
#include <sys/types.h>

enum { HOLDER = 10, MIDDLE = 20, CEILING = 40, WORLD = 90 };

/* The priority-protect mutex with the ceiling CEILING. */
extern pthread_mutex_t mutex;

/* Run `tests` in a child, which is killed when its time is over. Returns its exit status. */
int supervise(const char *name, void (*tests)(void));

/* Make the calling thread HOLDER on one CPU, and start the world. */
void set_stage(void);

/* Let the world do this. Returns when it is done. */
void world_does(void (*what)(void));

/* Start a thread at MIDDLE, which runs at once. */
pthread_t start_middle(void *(*body)(void *));

/* Start a child that does this, and then pauses until it is killed or this program ends. */
pid_t start_child(void (*body)(void));

/* The priority at which the kernel runs the caller now. */
int kernel_priority(void);

/* The noted events, in order, a letter each. */
void note(char what);
void expect_notes(const char *expected);

/* The name of the present step, for messages. */
void now_testing(const char *what);

_Noreturn void fail(const char *file, int line, const char *condition);
#define check(condition) ((condition) ? (void)0 : fail(__FILE__, __LINE__, #condition))

#endif
