/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_OTHERS_H
#define PLF_PTHREAD_OTHERS_H

/* Facts about another thread of this process, from the system. The calls keep errno. */
#include "evidence.h"

/* The thread's present name. If the thread is gone, the buffer stays as it is. */
void plf_other_name(int tid, char name[PLF_THREAD_NAME]);

/* The thread's identity, except for the function in which it began, which is not known. */
void plf_other_identity(int tid, struct plf_identity *identity);

#endif
