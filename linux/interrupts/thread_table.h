/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_THREAD_TABLE_H
#define INTERRUPTS_THREAD_TABLE_H

#include <stddef.h>

/*
 * All threads of the machine, a line each, with tabs between
 *   TID  IRQ or -  KIND  POLICY  PRIORITY  PID  NAME
 * KIND is as kind_name(), POLICY as policy_name(). PRIORITY is 0, except for FIFO and RR. The
 * caller must free the text. NULL: there is no memory, or no /proc.
 */
char *list_threads(size_t *length);

#endif
