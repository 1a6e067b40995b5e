/* SPDX-License-Identifier: MIT */
#ifndef TENS_OF_TASKS_H
#define TENS_OF_TASKS_H

/* TEN(00): T000 to T009. Each is run(), which the including file has defined. */
#define ONE(n)                                                                                     \
	TASK(T##n)                                                                                 \
	{                                                                                          \
		run(T##n);                                                                         \
	}
#define TEN(n)                                                                                     \
	ONE(n##0)                                                                                  \
	ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)

#endif
