/* SPDX-License-Identifier: MIT */
#ifndef RUN_SPARE_H
#define RUN_SPARE_H

/*
 * The body of the measuring thread, which takes the processor time that the tasks above it leave.
 */
void *run_spare(void *team);

#endif
