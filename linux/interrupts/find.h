/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_FIND_H
#define INTERRUPTS_FIND_H

#include "../machine/threads.h"

/*
 * Find the thread that an argument means: `irq/N-ACTION`, with a star as N for any number, or a
 * TID. False: it means no thread, or several; a message says so, and lists the interrupt threads.
 */
__attribute__((warn_unused_result)) bool find_thread(const char *argument, struct thread *thread);

#endif
