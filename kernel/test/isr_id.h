/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_ISR_ID_H
#define PLF_TEST_ISR_ID_H

#include "os.h"

enum { NOT_ASKED = 0xee };

/* Answers of GetISRID in ErrorHook, for errors of the task and of the handlers. */
extern ISRType of_task_error, of_handler_error;

/*
 * Answers in PreTaskHook, PostTaskHook, and ErrorHook for their errors. They must be INVALID_ISR.
 */
enum { OF_PRE_TASK, OF_POST_TASK, OF_HOOK_ERROR, TASK_HOOKS };
extern ISRType of_task_hooks[TASK_HOOKS];
extern uint32_t next_source; /* ErrorHook raises it; 0: none */

#endif
