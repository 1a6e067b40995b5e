/* SPDX-License-Identifier: MIT */
/*
 * Linked resources (OSEK 2.2.3, Section 8; OIL 2.5, RESOURCE). A task enters a resource twice, by
 * two of its names. By each name it keeps out the users of all names.
 */
#include "check.h"

#define NOT_GOT(resource, status) REFUSED(GetResource(resource), status, PLF_CALL_GET_RESOURCE)
#define NOT_RELEASED(resource, status)                                                             \
	REFUSED(ReleaseResource(resource), status, PLF_CALL_RELEASE_RESOURCE)

static uint32_t inside; /* number of tasks in a section */

TASK(ABOVE)
{
	mark('a');
	TerminateTask();
}

TASK(USER)
{
	ALLOWED(GetResource(THRICE));
	EXPECT(inside, 0);
	mark('u');
	ALLOWED(ReleaseResource(THRICE));
	TerminateTask();
}

TASK(BETWEEN)
{
	mark('b');
	TerminateTask();
}

TASK(OTHERS)
{
	ALLOWED(GetResource(OTHER));
	mark('o');
	ALLOWED(ReleaseResource(OTHER));
	TerminateTask();
}

static void activate_all(void)
{
	ALLOWED(ActivateTask(OTHERS));
	ALLOWED(ActivateTask(BETWEEN));
	ALLOWED(ActivateTask(USER));
	ALLOWED(ActivateTask(ABOVE));
}

/* By any name only tasks above all users run. When the name is released, all others run. */
static void enter(ResourceType name)
{
	ALLOWED(GetResource(name));
	inside = 1;
	activate_all();
	EXPECT_TRAIL("a");
	inside = 0;
	ALLOWED(ReleaseResource(name));
	EXPECT_TRAIL("ubo");
}

/* A release of the inner name lets no user in. */
static void nest(ResourceType outer, ResourceType inner)
{
	ALLOWED(GetResource(outer));
	inside = 1;
	ALLOWED(GetResource(inner));
	ALLOWED(ActivateTask(USER));
	EXPECT_TRAIL("");
	ALLOWED(ReleaseResource(inner));
	EXPECT_TRAIL("");
	ALLOWED(GetResource(inner)); /* once more */
	ALLOWED(ActivateTask(ABOVE));
	EXPECT_TRAIL("a");
	ALLOWED(ReleaseResource(inner));
	inside = 0;
	ALLOWED(ReleaseResource(outer));
	EXPECT_TRAIL("u");
}

/* With another resource of a lower ceiling in between. */
static void nest_around(void)
{
	ALLOWED(GetResource(OTHER));
	activate_all();
	EXPECT_TRAIL("bua"); /* each at once, because they are above the ceiling */
	ALLOWED(GetResource(ONCE));
	inside = 1;
	ALLOWED(GetResource(TWICE));
	activate_all();
	EXPECT_TRAIL("a");
	ALLOWED(ReleaseResource(TWICE));
	EXPECT_TRAIL("");
	inside = 0;
	ALLOWED(ReleaseResource(ONCE));
	EXPECT_TRAIL("ub");
	ALLOWED(ReleaseResource(OTHER));
	EXPECT_TRAIL("oo");
}

/* To the services a name is a resource: it is entered once, and released in its turn. */
static void refuse(void)
{
	NOT_GOT(THRICE, E_OS_ACCESS); /* not a name for this task */
	NOT_RELEASED(TWICE, E_OS_NOFUNC);
	ALLOWED(GetResource(ONCE));
	NOT_GOT(ONCE, E_OS_ACCESS);
	ALLOWED(GetResource(TWICE));
	NOT_GOT(ONCE, E_OS_ACCESS);
	NOT_GOT(TWICE, E_OS_ACCESS);
	NOT_GOT(THRICE, E_OS_ACCESS);
	NOT_RELEASED(ONCE, E_OS_NOFUNC);
	NOT_RELEASED(THRICE, E_OS_NOFUNC);
	ALLOWED(ReleaseResource(TWICE));
	NOT_RELEASED(TWICE, E_OS_NOFUNC);
	ALLOWED(ReleaseResource(ONCE));
}

TASK(MAIN)
{
	enter(ONCE);
	enter(TWICE);
	nest(ONCE, TWICE);
	nest(TWICE, ONCE);
	nest_around();
	if (PLF_EXTENDED_STATUS)
		refuse();
	nest(ONCE, TWICE);
	ShutdownOS(E_OK);
}
