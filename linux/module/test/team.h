/* SPDX-License-Identifier: GPL-2.0 */
#ifndef MODULE_TEST_TEAM_H
#define MODULE_TEST_TEAM_H

/*
 * Kernel threads that act out a scene. On one CPU, the kernel's fixed priorities make the scene a
 * fixed sequence of steps. The actors note each step as a letter.
 */
#include <linux/completion.h>
#include <linux/sched.h>
#include <linux/types.h>

struct actor {
	int priority; /* 0: SCHED_OTHER, nice NICE */
	int cpu;
	void (*play)(struct actor *self);
	char letter;
	struct task_struct *task;
	struct completion bell, done;
};

enum { NICE = 5, NOTES = 32 };

/* Start the actor on its CPU. It runs until it sleeps or ends. */
void actor_start(struct actor *actor);
void actor_join(struct actor *actor);

/* Ring the actor's bell, for which it waits in actor_wait(). */
void actor_wake(struct actor *actor);
void actor_wait(struct actor *actor);

/* The running task's priority; 0: it is not real-time. */
int own_priority(void);

void note(char letter);
void forget_notes(void);
const char *notes(void);

/* If the condition is false, print a line in the kernel's log, and count a failure. */
#define EXPECT(condition) expect(condition, #condition, __func__, __LINE__)
void expect(bool condition, const char *text, const char *function, int line);
#define EXPECT_NOTES(text) expect_notes(text, __func__, __LINE__)
void expect_notes(const char *text, const char *function, int line);
extern int failures;

#endif
