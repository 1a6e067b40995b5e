/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_FIND_H
#define INTERRUPTS_FIND_H

#include "../machine/threads.h"

/* The thread that an argument means, `irq/N-ACTION`, with a star as N for any number, or a TID.
 * False: it means none, or several, and this said so, with the interrupt threads that there are. */
__attribute__((warn_unused_result)) bool find_thread(const char *argument, struct thread *thread);

#endif
