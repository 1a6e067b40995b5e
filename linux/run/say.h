/* SPDX-License-Identifier: MIT */
#ifndef RUN_SAY_H
#define RUN_SAY_H

/* What the program says when something is wrong: one line, and its exit status. */

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

/* What was printed on stdout has gone there: RAN, or it said why not and FAILED. */
int end_stdout(void);

#endif
