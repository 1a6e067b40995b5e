/* SPDX-License-Identifier: MIT */
/* The tasks that are activated. */
#include "../measure.h"

NOTES_ITS_START(FIRST);
NOTES_ITS_START(NEXT);

/* As BENCH of driver.c, paid for by its own server. */
void plf_task_BENCH(void);

TASK(IN_ABOVE)
{
	plf_task_BENCH();
}
