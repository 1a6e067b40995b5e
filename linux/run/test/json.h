/* SPDX-License-Identifier: MIT */
#ifndef RUN_TEST_JSON_H
#define RUN_TEST_JSON_H

#include <stdbool.h>

/* Is the text exactly a JSON value? */
bool json_is_valid(const char *text);

#endif
