/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_IOC_TYPES_H
#define PLF_TEST_IOC_TYPES_H

/* The types that ioc.toml and its like send. */
#include <stdint.h>

struct wide {
	uint64_t number;
	char text[21];
};

typedef uint16_t row[3];

#endif
