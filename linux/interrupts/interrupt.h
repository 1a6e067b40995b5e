/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_INTERRUPT_H
#define INTERRUPTS_INTERRUPT_H

#include <stdbool.h>

/*
 * Has the machine the interrupt whose thread would be called `name`: irq/N-ACTION, with a star as N
 * for any number? `interrupts`: the folder /proc/irq, which has one for each interrupt, and in that
 * one for each action.
 */
bool has_interrupt(const char *interrupts, const char *name);

#endif
