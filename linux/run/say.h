/* SPDX-License-Identifier: MIT */
#ifndef RUN_SAY_H
#define RUN_SAY_H

/* The program's report of a fault: one line, and its exit status. */

enum status {
	RAN = 0,
	FAILED = 1,  /* cut, or a step failed */
	REFUSED = 2, /* nothing was run */
	BY_SIGNAL = 128,
};

/* "plafond-run: ..." on stderr; REFUSED. */
__attribute__((format(printf, 1, 2))) int refuse(const char *format, ...);

/* "plafond-run: ..." on stderr; FAILED. */
__attribute__((format(printf, 1, 2))) int fail(const char *format, ...);

/* Flush stdout: RAN; or FAILED, with the reason on stderr. */
__attribute__((warn_unused_result)) int end_stdout(void);

#endif
