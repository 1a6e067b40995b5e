/* SPDX-License-Identifier: MIT */
/* The application WORK: its tasks share its data, and the end of a task changes no data. */
#include "foul_applications.h"

volatile uint32_t work_value = WORKS;
volatile uint32_t work_zeros[MANY];

TASK(PEER)
{
	mark('p');
	EXPECT(work_value, WORKS + work_zeros[MANY - 1]);
	EXPECT(work_marked, work_zeros[MANY - 1]);
	EXPECT(WriteConsole((const char *)wild(&work_value), 4), E_OK);
	EXPECT(SendMessage(NEWS, wild(&work_marked)), E_OK);
	EXPECT(ReceiveMessage(NEWS_LAST, wild(&work_zeros[0])), E_OK);
	EXPECT(work_zeros[0], work_marked);
	TerminateTask();
}

/*
 * The data are as at the end of the application. This task initialises the data that must begin
 * anew.
 */
TASK(REVIVE)
{
	mark('r');
	CHECK(work_marked > 0);
	EXPECT(work_value, WORKS + work_marked);
	work_value = WORKS;
	work_marked = work_zeros[MANY - 1] = 0;
	EXPECT(AllowAccess(), E_OK);
	TerminateTask();
}
