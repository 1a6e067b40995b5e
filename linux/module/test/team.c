// SPDX-License-Identifier: GPL-2.0
#include "team.h"

#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched/prio.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <uapi/linux/sched/types.h>

int failures;

static char noted[NOTES + 1];
static int note_count;

void note(char letter)
{
	if (note_count < NOTES)
		noted[note_count++] = letter;
}

void forget_notes(void)
{
	memset(noted, 0, sizeof(noted));
	note_count = 0;
}

const char *notes(void)
{
	return noted;
}

void expect(bool condition, const char *text, const char *function, int line)
{
	if (condition)
		return;
	pr_err("immpc_test: %s, line %d: not so: %s\n", function, line, text);
	failures++;
}

void expect_notes(const char *text, const char *function, int line)
{
	if (!strcmp(noted, text))
		return;
	pr_err("immpc_test: %s, line %d: %s; expected %s\n", function, line, noted, text);
	failures++;
}

int own_priority(void)
{
	return (int)current->rt_priority;
}

static int play(void *argument)
{
	struct actor *actor = argument;
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = actor->priority ? SCHED_FIFO : SCHED_NORMAL,
		.sched_priority = (u32)actor->priority,
		.sched_nice = actor->priority ? 0 : NICE,
	};

	EXPECT(sched_setattr_nocheck(current, &attr) == 0);
	actor->play(actor);
	EXPECT(own_priority() == actor->priority);
	EXPECT(actor->priority || task_nice(current) == NICE);
	complete(&actor->done);
	return 0;
}

void actor_start(struct actor *actor)
{
	init_completion(&actor->bell);
	init_completion(&actor->done);
	actor->task = kthread_create(play, actor, "immpc_test/%c", actor->letter);
	if (IS_ERR(actor->task)) {
		EXPECT(false);
		complete(&actor->done);
		return;
	}
	get_task_struct(actor->task);
	kthread_bind(actor->task, (unsigned int)actor->cpu);
	wake_up_process(actor->task);
}

void actor_join(struct actor *actor)
{
	wait_for_completion(&actor->done);
	if (!IS_ERR(actor->task))
		put_task_struct(actor->task);
}

void actor_wake(struct actor *actor)
{
	complete(&actor->bell);
}

void actor_wait(struct actor *actor)
{
	wait_for_completion(&actor->bell);
}
