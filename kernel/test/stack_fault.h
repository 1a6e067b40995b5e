/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_STACK_FAULT_H
#define PLF_TEST_STACK_FAULT_H

#include "check.h"

/* Written by the hook, read by MAIN. */
extern volatile StatusType fault;

#endif
