/* SPDX-License-Identifier: MIT */
#ifndef MANY_TASKS_H
#define MANY_TASKS_H

/* T000 to T247. Each is run(), which the including file has defined. */
#define ONE(n)                                                                                     \
	TASK(T##n)                                                                                 \
	{                                                                                          \
		run(T##n);                                                                         \
	}
#define TEN(n)                                                                                     \
	ONE(n##0)                                                                                  \
	ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
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
