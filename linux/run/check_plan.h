/* SPDX-License-Identifier: MIT */
#ifndef RUN_CHECK_PLAN_H
#define RUN_CHECK_PLAN_H

#include "plan.h"

/*
 * Find the resources whose users are on several CPUs, and check the rules that need the whole plan.
 * False: a message has named the fault.
 */
__attribute__((warn_unused_result)) bool check_plan(struct plan *plan);

#endif
