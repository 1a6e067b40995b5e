/* SPDX-License-Identifier: MIT */
#ifndef RUN_SPARE_H
#define RUN_SPARE_H

/* The body of the measuring thread: it takes what processor time the tasks above leave it. */
void *run_spare(void *team);

#endif
