/* SPDX-License-Identifier: MIT */
#ifndef CALL_H
#define CALL_H

/*
 * One case for each call that the drop-in interposes:
 *
 * CALL(read, empty_pipe, POINT, 1, 0, read(ends[0], buffer, 1))
 *
 * where it finds nothing to do, whether POSIX makes it a cancellation point, its
 * result once the world has woken it, the errno with it (0: as it was), and the call.
 */
#include <pthread.h>

struct setting {
	void (*make)(void);
	void (*wake)(void);
	void (*clear)(void);
};

enum point {
	POINT,	   /* always */
	MAY_BE,	   /* it may be one */
	NOT_POINT, /* never */
};

struct call {
	const char *name;
	const struct setting *setting;
	enum point point;
	long result;
	int error;
	long (*make)(void);
};

/* All of them, by the linker. */
extern const struct call *const __start_calls[], *const __stop_calls[];

#define CALL(name_, setting_, point_, result_, error_, expression)                                 \
	static long call_##name_(void)                                                             \
	{                                                                                          \
		return (long)(expression);                                                         \
	}                                                                                          \
	static const struct call of_##name_ = {                                                    \
		#name_, &(setting_), point_, result_, error_, call_##name_,                        \
	};                                                                                         \
	static const struct call *const entry_##name_ __attribute__((section("calls"), used)) =    \
		&of_##name_

/* The thread that makes the call. */
extern pthread_t sleeper;

#endif
