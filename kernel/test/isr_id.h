/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_ISR_ID_H
#define PLF_TEST_ISR_ID_H

#include "os.h"

enum { NOT_ASKED = 0xee };

/* What GetISRID answered: in ErrorHook for the task's errors and the handlers', in PreTaskHook. */
extern ISRType of_task_error, of_handler_error, of_pre_task;
extern uint32_t next_source; /* for ErrorHook to raise; 0: none */

#endif
