/* SPDX-License-Identifier: MIT */
#ifndef TENS_OF_TASKS_H
#define TENS_OF_TASKS_H

/* TEN(00) defines T000 to T009. Each task calls run(), which the including file must define. */
#define ONE(n)                                                                                     \
	TASK(T##n)                                                                                 \
	{                                                                                          \
		run(T##n);                                                                         \
	}
#define TEN(n)                                                                                     \
	ONE(n##0)                                                                                  \
	ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)

#endif
