/* SPDX-License-Identifier: MIT */
#ifndef RUN_RUN_H
#define RUN_RUN_H

/* Execute a plan, and write its trace. Returns the exit status. */
__attribute__((warn_unused_result)) int run_plan(const char *plan_path, const char *trace_path);

#endif
