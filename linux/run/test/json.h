/* SPDX-License-Identifier: MIT */
#ifndef RUN_TEST_JSON_H
#define RUN_TEST_JSON_H

#include <stdbool.h>

/* Whether the text is one JSON value and nothing else. */
bool json_is_valid(const char *text);

#endif
