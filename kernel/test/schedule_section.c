/* SPDX-License-Identifier: MIT */
/*
 * Schedule() inside a section, in standard status (OSEK 2.2.3, 13.2.3.4): it releases the internal
 * resource, and no other. Tasks above the ceilings that the caller holds run. No user of its
 * resources runs, so no user finds another user inside.
 */
#include "check.h"

static volatile bool is_inside[PLF_RESOURCES];

static void enter(ResourceType resource)
{
	EXPECT(GetResource(resource), E_OK);
	CHECK(!is_inside[resource]);
	is_inside[resource] = true;
}

static void leave(ResourceType resource)
{
	CHECK(is_inside[resource]);
	is_inside[resource] = false;
	EXPECT(ReleaseResource(resource), E_OK);
}

static void use(char letter, ResourceType resource)
{
	enter(resource);
	mark(letter);
	leave(resource);
	TerminateTask();
}

TASK(T9)
{
	mark('9');
	TerminateTask();
}

TASK(T6)
{
	use('6', ABOVE);
}

TASK(T5)
{
	mark('5');
	TerminateTask();
}

TASK(T4)
{
	use('4', MID);
}

TASK(T3)
{
	use('3', LOW);
}

TASK(T2)
{
	mark('2');
	TerminateTask();
}

static void activate_up_to(TaskType most_urgent)
{
	static const TaskType tasks[] = { T2, T3, T4, T5, T6 };
	unsigned i = 0;

	do {
		EXPECT(ActivateTask(tasks[i]), E_OK);
	} while (tasks[i++] != most_urgent);
}

/* First no task above the ceiling, then some. All others run after the section. */
static void one_section(void)
{
	enter(LOW);
	EXPECT(ActivateTask(T3), E_OK);
	EXPECT(ActivateTask(T2), E_OK);
	EXPECT(Schedule(), E_OK);
	mark('a');
	EXPECT(ActivateTask(T4), E_OK);
	mark('b');
	EXPECT(Schedule(), E_OK);
	mark('c');
	leave(LOW);
	mark('d');
	EXPECT(Schedule(), E_OK);
	mark('e');
}

/* The inner section keeps out more tasks. */
static void nested(void)
{
	enter(LOW);
	enter(MID);
	activate_up_to(T5);
	EXPECT(Schedule(), E_OK);
	mark('f');
	leave(MID);
	mark('g');
	EXPECT(Schedule(), E_OK);
	mark('h');
	leave(LOW);
	EXPECT(Schedule(), E_OK);
	mark('i');
}

/* The outer section keeps out further tasks, also when it is preempted. */
static void falling(void)
{
	enter(MID);
	enter(LOW);
	activate_up_to(T5);
	EXPECT(Schedule(), E_OK);
	mark('j');
	leave(LOW);
	EXPECT(Schedule(), E_OK);
	mark('k');
	leave(MID);
	EXPECT(Schedule(), E_OK);
	mark('l');
}

TASK(NON)
{
	one_section();
	nested();
	falling();
	mark('n');
	TerminateTask();
}

/* A ceiling above its group, and tasks that preempt it in any case. */
TASK(INNER)
{
	one_section();
	nested();
	falling();
	enter(LOW);
	activate_up_to(T5);
	enter(ABOVE);
	EXPECT(ActivateTask(T6), E_OK);
	EXPECT(ActivateTask(T9), E_OK);
	EXPECT(Schedule(), E_OK);
	mark('o');
	leave(ABOVE);
	mark('p');
	EXPECT(Schedule(), E_OK);
	mark('q');
	leave(LOW);
	mark('r');
	EXPECT(Schedule(), E_OK);
	mark('s');
	TerminateTask();
}

#define SECTIONS                                                                                   \
	"ab4cd3e"                                                                                  \
	"5fg4h3i"                                                                                  \
	"5jk43l"

TASK(MAIN)
{
	EXPECT(ActivateTask(NON), E_OK);
	EXPECT_TRAIL(SECTIONS "n222");
	EXPECT(ActivateTask(INNER), E_OK);
	EXPECT_TRAIL(SECTIONS "9o6p54qr3s"
			      "2222");
	ShutdownOS(E_OK);
}
