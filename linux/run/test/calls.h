/* SPDX-License-Identifier: MIT */
#ifndef RUN_TEST_CALLS_H
#define RUN_TEST_CALLS_H

/* Three sections without contention take that many lock calls. */
void expect_calls(const char *protocol, int calls);

#endif
