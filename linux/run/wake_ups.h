/* SPDX-License-Identifier: MIT */
#ifndef RUN_WAKE_UPS_H
#define RUN_WAKE_UPS_H

/*
 * Print what a thread takes from the one below it by waking at a time and sleeping again, as JSON
 * on stdout: each time from the instant when its timer was due, or the lower thread ran last, if
 * that was before, until that one ran again. It contains the interrupt of the timer, its lateness,
 * two switches and the next timer. Return the exit status.
 */
__attribute__((warn_unused_result)) int measure_wake_ups(const char *cpu, const char *seconds);

#endif
