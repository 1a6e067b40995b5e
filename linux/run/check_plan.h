/* SPDX-License-Identifier: MIT */
#ifndef RUN_CHECK_PLAN_H
#define RUN_CHECK_PLAN_H

#include "plan.h"

/* The rules that only the whole plan shows. False: it reported the fault. */
__attribute__((warn_unused_result)) bool check_plan(const struct plan *plan);

#endif
