/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_APPLICATIONS_HOOKS_H
#define PLF_TEST_APPLICATIONS_HOOKS_H

#include <stdint.h>

/* What FAR found on its core. */
extern uint32_t far_startups, far_shutdowns;

#endif
