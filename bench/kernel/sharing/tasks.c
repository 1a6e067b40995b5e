/* SPDX-License-Identifier: MIT */
/* The tasks that are activated. */
#include "../measure.h"

NOTES_ITS_START(FIRST);
NOTES_ITS_START(NEXT);

/* As BENCH of driver.c, each paid for by its own server. */
void plf_task_BENCH(void);

TASK(IN_TIGHT)
{
	plf_task_BENCH();
}

TASK(IN_OVER)
{
	plf_task_BENCH();
}

TASK(IN_PAYS)
{
	plf_task_BENCH();
}

TASK(IN_SKIPS)
{
	plf_task_BENCH();
}
