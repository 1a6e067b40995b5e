/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_ERROR_PARAMETERS_H
#define PLF_TEST_ERROR_PARAMETERS_H

#include "os.h"

/* Notes of ErrorHook on the last error. */
struct learned {
	OSServiceIdType service;
	StatusType status;
	uint64_t parameters[3]; /* in the order of the service; a missing parameter is NOTHING */
	uint32_t errors;
};
extern struct learned learned;

#define NOTHING UINT64_C(0xdead)

#endif
