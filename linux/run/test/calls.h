/* SPDX-License-Identifier: MIT */
#ifndef RUN_TEST_CALLS_H
#define RUN_TEST_CALLS_H

/* Check that three sections without contention make that many lock calls. */
void expect_calls(const char *protocol, int calls);

#endif
