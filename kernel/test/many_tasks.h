/* SPDX-License-Identifier: MIT */
#ifndef MANY_TASKS_H
#define MANY_TASKS_H

/* T000 to T247. */
#include "tens_of_tasks.h"

#define HUNDRED(n)                                                                                 \
	TEN(n##0)                                                                                  \
	TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
HUNDRED(0)
HUNDRED(1)
TEN(20)
TEN(21)
TEN(22)
TEN(23)
ONE(240)
ONE(241)
ONE(242)
ONE(243)
ONE(244)
ONE(245)
ONE(246)
ONE(247)

#endif
