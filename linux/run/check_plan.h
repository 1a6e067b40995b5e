/* SPDX-License-Identifier: MIT */
#ifndef RUN_CHECK_PLAN_H
#define RUN_CHECK_PLAN_H

#include "plan.h"

/* What only the whole plan shows. False: it said what is wrong. */
bool check_plan(const struct plan *plan);

#endif
