/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FOUL_APPLICATIONS_H
#define PLF_TEST_FOUL_APPLICATIONS_H

/* Data of the applications WORK and SAFE, in their files and in a common file. */
#include "foul.h"
#include "os_console.h"

enum { WORKS = 0x3081, SAFES = 0x5afe, MANY = 3000 };

extern volatile uint32_t work_value, work_zeros[MANY];
extern volatile uint32_t safe_value, safe_zeros[MANY];
extern volatile uint32_t *const safe_hidden;
extern volatile uint32_t work_marked, safe_marked;

extern char plf_application_low_SAFE[], plf_application_high_SAFE[];

#endif
