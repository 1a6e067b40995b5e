/* SPDX-License-Identifier: MIT */
#ifndef TYPED_H
#define TYPED_H

/* A ring of typed characters. The interrupt handler puts them in, and a task takes them out. */
enum { TYPED_MOST = 64 };

struct typed {
	volatile unsigned put, taken; /* totals since the start */
	char text[TYPED_MOST];
};
extern struct typed typed;

#endif
