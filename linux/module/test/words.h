/* SPDX-License-Identifier: MIT */
#ifndef MODULE_TEST_WORDS_H
#define MODULE_TEST_WORDS_H

/*
 * The device as a program meets it: raw words and ioctls, no library. Tests run on CPU
 * 0, at LOW under SCHED_FIFO; a watchdog ends them.
 */
#include <plafond/lazy_ceiling.h>

#include <plafond_device.h>

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

#include <cmocka.h>

enum {
	LOW = 10,
	BETWEEN = 20,
	CEILING = 30,
	NAME = 100,   /* of our sections */
	KEY = 2 << 7, /* of priority 0 */
	UNPRIVILEGED = 65534,
};

extern int device; /* the open /dev/plafond */

/* First thing in main(): CPU, priority, device, watchdog. */
void begin(void);

/* A page of our own for words. */
struct plf_lazy *new_words(void);

/* Make the calling thread SCHED_FIFO, SCHED_OTHER for 0. */
void schedule(int priority);

/* Register the calling thread, whose priority is `base`, with a claim of the strict kind. */
int enroll(struct plf_lazy *words, int base, int max_priority);
void unenroll(void);

void claim(struct plf_lazy *words, int base, int ceiling);
/* Withdraw the claim, and go down if we were raised. */
void withdraw(struct plf_lazy *words);

/* The priority that a thread has in the kernel (0: the caller's). */
int priority_of(pid_t tid);

/* Sleep, surely: on a starved machine a nap can be over before it began. */
void lose_cpu(void);

/* A thread that the device does not know, asleep on this CPU until it is woken. */
struct comer {
	int priority;
	pthread_t thread;
	sem_t there, bell;
	volatile bool has_run;
};
void expect_comer(struct comer *comer, int priority);
/* Wake it; true if it ran before the caller went on. */
bool is_overtaken_by(struct comer *comer);
void join_comer(struct comer *comer);

/* Run `body` in a child and return its exit status; 128 + n: killed by signal n. */
int in_child(void (*body)(void));

/* In a child: end it at once, with the line, if something is not so. */
#define REQUIRE(condition) require(condition, __LINE__)
void require(bool condition, int line);

#endif
