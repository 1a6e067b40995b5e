/* SPDX-License-Identifier: MIT */
/* The tasks that are activated. */
#include "../measure.h"

NOTES_ITS_START(NEXT);

/* As BENCH of driver.c, but another server pays for it. */
void plf_task_BENCH(void);

TASK(IN_ABOVE)
{
	plf_task_BENCH();
}
