/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CORES_APPLICATIONS_LATE_H
#define PLF_TEST_CORES_APPLICATIONS_LATE_H

#include <stdint.h>

extern uint32_t has_begun; /* PostTaskHook of SENDER, so often */

#endif
