/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_BASE_H
#define PLF_PTHREAD_BASE_H

/* The caller's base priority, as the program or another process set it: without ceilings. */
void plf_priority_base(int *policy, int *priority);

#endif
