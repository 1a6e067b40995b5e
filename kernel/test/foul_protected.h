/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FOUL_PROTECTED_H
#define PLF_TEST_FOUL_PROTECTED_H

#include "check.h"

/* The attempts of FUNCTION_TRY. Each is a fault, except SUCCEEDS. */
enum attempt {
	STORES_TO_CALLER,
	LOADS_FROM_TASK,
	STORES_TO_STACK,
	STORES_TO_WORDS,
	LOADS_FROM_KERNEL,
	JUMPS_TO_KERNEL,
	STORES_TO_CODE,
	OVERFLOWS,
	LOSES_STACK,
	TAKES_CALLERS_STACK,
	ENTERS_KERNELS_MODE,
	LOCKS_LAZILY,
	ATTEMPTS,
	SUCCEEDS = ATTEMPTS,
};

enum { ANSWER = 0x600d };

enum { SP = 31, FLAGS = 32, THREAD = 33, REGISTERS };

/*
 * For assembly. Gives all registers distinct values, and stores all registers into `seen` of a
 * struct shared, or the like. The three instructions load its address into x0.
 */
#define KEEP_ALL                                                                                   \
	"	.macro	pattern value, first, last\n"                                                     \
	"	.irp	n, "                                                                                \
	"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,"               \
	"28,29,30\n"                                                                               \
	"	.if	(\\n >= \\first) && (\\n <= \\last)\n"                                               \
	"	mov	x\\n, #\\value + \\n\n"                                                              \
	"	.endif\n"                                                                                \
	"	.endr\n"                                                                                 \
	"	.endm\n"                                                                                 \
	"	.macro	keep_all one, two, three\n"                                                       \
	"	stp	x0, x1, [sp, #-16]!\n"                                                               \
	"	\\one\n"                                                                                 \
	"	\\two\n"                                                                                 \
	"	\\three\n"                                                                               \
	"	.irp	n, "                                                                                \
	"2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,"                \
	"29,30\n"                                                                                  \
	"	str	x\\n, [x0, #8 * \\n]\n"                                                              \
	"	.endr\n"                                                                                 \
	"	mrs	x3, nzcv\n"                                                                          \
	"	mrs	x2, tpidr_el0\n"                                                                     \
	"	add	x1, sp, #16\n"                                                                       \
	"	str	x1, [x0, #8 * 31]\n"                                                                 \
	"	add	x1, x0, #8 * 32\n"                                                                   \
	"	stp	x3, x2, [x1]\n"                                                                      \
	"	ldp	x2, x3, [sp], #16\n"                                                                 \
	"	stp	x2, x3, [x0]\n"                                                                      \
	"	.endm\n"

/* Memory that all tasks and the kernel can write. */
struct shared {
	uintptr_t of_caller, of_task, on_stack; /* addresses that no callee may reach */
	uint64_t seen[REGISTERS];		/* at the begin of FUNCTION_SEE */
	uint32_t faults;
	StatusType fault;
	ApplicationType application; /* the current application in ProtectionHook */
	ProtectionReturnType answer;
};
extern struct shared shared;

#endif
