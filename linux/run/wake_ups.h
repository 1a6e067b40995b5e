/* SPDX-License-Identifier: MIT */
#ifndef RUN_WAKE_UPS_H
#define RUN_WAKE_UPS_H

/*
 * Print, as JSON on stdout, how much time a thread takes from the thread below it by waking up at a
 * time and sleeping again. The time begins when the timer was due, or earlier, when the lower
 * thread last ran. It ends when the lower thread runs again. So it contains the timer's interrupt
 * and lateness, two switches, and the next timer. Returns the exit status.
 */
__attribute__((warn_unused_result)) int measure_wake_ups(const char *cpu, const char *seconds);

#endif
