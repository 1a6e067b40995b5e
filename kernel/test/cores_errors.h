/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CORES_ERRORS_H
#define PLF_TEST_CORES_ERRORS_H

#include "os.h"

/* What ErrorHook learned on each core. */
struct learned {
	OSServiceIdType service;
	uint64_t parameter;
	uint32_t errors;
};
extern struct learned learned[PLF_CPUS];

#endif
