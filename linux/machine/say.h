/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_SAY_H
#define MACHINE_SAY_H

/*
 * A program's report of a fault: one line that begins with the program's name, and an exit status.
 */

enum status {
	RAN = 0,
	FAILED = 1,  /* cut short, or a step failed */
	REFUSED = 2, /* nothing was run */
	BY_SIGNAL = 128,
};

/* Print "PROGRAM: ..." on stderr; return REFUSED. */
__attribute__((format(printf, 1, 2))) int refuse(const char *format, ...);

/* Print "PROGRAM: ..." on stderr; return FAILED. */
__attribute__((format(printf, 1, 2))) int fail(const char *format, ...);

/* Flush stdout. Returns RAN; or FAILED, after the reason on stderr. */
__attribute__((warn_unused_result)) int end_stdout(void);

#endif
