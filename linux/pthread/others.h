/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_OTHERS_H
#define PLF_PTHREAD_OTHERS_H

/* Facts that the system has about another thread of this process. The calls keep errno. */
#include "evidence.h"

/* Its present name. If the thread is gone, the buffer stays as it is. */
void plf_other_name(int tid, char name[PLF_THREAD_NAME]);

/* The function in which it began is not known. */
void plf_other_identity(int tid, struct plf_identity *identity);

#endif
