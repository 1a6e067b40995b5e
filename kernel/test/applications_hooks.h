/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_APPLICATIONS_HOOKS_H
#define PLF_TEST_APPLICATIONS_HOOKS_H

#include <stdint.h>

/* Notes of FAR on its core. */
extern uint32_t far_startups, far_shutdowns;

#endif
