/* SPDX-License-Identifier: MIT */
#ifndef TYPED_H
#define TYPED_H

/* What was typed and not yet shown: the interrupt puts it in, and a task takes it out. */
enum { TYPED_MOST = 64 };

struct typed {
	volatile unsigned put, taken; /* so many since the start */
	char text[TYPED_MOST];
};
extern struct typed typed;

#endif
