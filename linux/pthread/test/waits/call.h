/* SPDX-License-Identifier: MIT */
#ifndef CALL_H
#define CALL_H

/*
 * A case for each call that the drop-in interposes:
 *
 * CALL(read, empty_pipe, POINT, 1, 0, read(ends[0], buffer, 1))
 *
 * The arguments are the call's name, the setting in which it sleeps, and whether POSIX makes it a
 * cancellation point. Then come its result after the world has woken it, its errno (0: unchanged),
 * and the call.
 */
#include <pthread.h>

struct setting {
	void (*make)(void);
	void (*wake)(void);
	void (*clear)(void);
};

enum point {
	POINT,	   /* POSIX: always */
	MAY_BE,	   /* POSIX: perhaps */
	NOT_POINT, /* POSIX: never */
};

struct call {
	const char *name;
	const struct setting *setting;
	enum point point;
	long result;
	int error;
	long (*make)(void);
};

/* All cases, collected by the linker. */
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
