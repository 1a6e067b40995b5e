/* SPDX-License-Identifier: MIT */
#include "applications_hooks.h"
#include "errors.h"

/* ---- Hooks of the system --------------------------------------------------------- */

void StartupHook(void)
{
	EXPECT(GetApplicationID(), INVALID_OSAPPLICATION);
	if (GetCoreID() != 0)
		return;
	mark('S');
	EXPECT(ActivateTask(MAIN), E_OS_CALLEVEL); /* the hook belongs to no application */
}

/* The system's hook may call all that hooks may, whatever its task may use. */
void ErrorHook(StatusType status)
{
	TaskStateType state;

	if (test.raise) {
		mark('R');
		note_error(status);
		return;
	}
	mark('E');
	EXPECT(GetTaskState(LAST, &state), E_OK);
}

/* The last hook of each core. */
void ShutdownHook(StatusType status)
{
	(void)status;
	if (GetCoreID() == 0) {
		EXPECT_TRAIL("zy");
		EXPECT(GetApplicationID(), NONE); /* whose task has called ShutdownOS() */
	} else {
		EXPECT(far_shutdowns, 1);
	}
	if (test.line != 0)
		plf_port_end(TEST_FAILED);
}

/* ---- Hooks of applications -------------------------------------------------------- */

/* An error in a hook belongs to its application, too. */
void StartupHook_ALL(void)
{
	EXPECT(GetApplicationID(), ALL);
	EXPECT(GetCoreID(), 0);
	EXPECT(ActivateTask(MAIN), E_OS_CALLEVEL);
	EXPECT(GetApplicationID(), ALL);
	mark('s');
}

/* The hook has the rights of its application. */
void ErrorHook_ALL(StatusType status)
{
	TaskStateType state;

	mark('a');
	EXPECT(GetApplicationID(), ALL);
	CHECK(status == E_OS_ID || status == E_OS_CALLEVEL);
	if (status == E_OS_ID) {
		EXPECT(GetTaskState(OTHER, &state), E_OK);
		EXPECT(GetTaskState(LAST, &state), E_OS_ACCESS);
	}
}

void ErrorHook_ERRORS(StatusType status)
{
	mark('b');
	EXPECT(GetApplicationID(), ERRORS);
	EXPECT(status, OSErrorGetServiceId() == OSServiceId_ActivateTask ? E_OS_LIMIT : E_OS_ID);
}

void ShutdownHook_ALL(StatusType status)
{
	EXPECT(GetApplicationID(), ALL);
	EXPECT(status, E_OK);
	mark('z');
}

/* The second startup hook of its core. */
void StartupHook_ERRORS(void)
{
	EXPECT(GetApplicationID(), ERRORS);
	mark('t');
}

void ShutdownHook_ERRORS(StatusType status)
{
	EXPECT(GetApplicationID(), ERRORS);
	EXPECT(status, E_OK);
	mark('y');
}

void StartupHook_FAR(void)
{
	EXPECT(GetApplicationID(), FAR);
	EXPECT(GetCoreID(), 1);
	far_startups++;
}

void ShutdownHook_FAR(StatusType status)
{
	EXPECT(GetCoreID(), 1);
	EXPECT(status, E_OK);
	far_shutdowns++;
}

ISR(COMES)
{
	mark('i');
	EXPECT(SetEvent(INVALID_TASK, GO), E_OS_ID);
}
