/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_INTERRUPT_H
#define INTERRUPTS_INTERRUPT_H

#include <stdbool.h>

/*
 * Has the machine the interrupt whose thread would be called `name`: irq/N-ACTION, with a star as N
 * for any number? `interrupts` is the folder /proc/irq. It has a folder for each interrupt, which
 * has a folder for each action.
 */
bool has_interrupt(const char *interrupts, const char *name);

#endif
