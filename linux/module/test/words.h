/* SPDX-License-Identifier: MIT */
#ifndef MODULE_TEST_WORDS_H
#define MODULE_TEST_WORDS_H

/*
 * The device as a program uses it: raw words and ioctls, without the library. Tests run on CPU 0,
 * under SCHED_FIFO at LOW. A watchdog ends them.
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
	NAME = 100,   /* of the test's sections */
	KEY = 2 << 7, /* of priority 0 */
	UNPRIVILEGED = 65534,
};

extern int device; /* the open /dev/plafond */

/* Call this first in main(): it sets CPU, priority, device and watchdog. */
void begin(void);

/* A new page for words. */
struct plf_lazy *new_words(void);

/* Make the calling thread SCHED_FIFO; SCHED_OTHER for 0. */
void schedule(int priority);

/* Register the calling thread, whose priority is `base`, with a claim of the strict kind. */
int enroll(struct plf_lazy *words, int base, int max_priority);
void unenroll(void);

void claim(struct plf_lazy *words, int base, int ceiling);
/* Withdraw the claim, and go down if the thread was raised. */
void withdraw(struct plf_lazy *words);

/* The priority of a thread in the kernel (0: the caller). */
int priority_of(pid_t tid);

/* Sleep for certain: on a starved machine, a nap may be over before it begins. */
void lose_cpu(void);

/* A thread that the device does not know. It sleeps on this CPU until it is woken. */
struct comer {
	int priority;
	pthread_t thread;
	sem_t there, bell;
	volatile bool has_run;
};
void expect_comer(struct comer *comer, int priority);
/* Wake it. True: it ran before the caller went on. */
bool is_overtaken_by(struct comer *comer);
void join_comer(struct comer *comer);

/* Run `body` in a child, and return its exit status; 128 + n: signal n killed it. */
int in_child(void (*body)(void));

/* In a child: if the condition is false, print the line, and end the child. */
#define REQUIRE(condition) require(condition, __LINE__)
void require(bool condition, int line);

#endif
