/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_APPLICATIONS_ISR_H
#define PLF_TEST_APPLICATIONS_ISR_H

#include <stdint.h>

/* Bit masks of the sources of the description. */
enum {
	LOCKS_COMES = 1 << 4,
	COMES_COMES = 1 << 5,
	BESIDE_COMES = 1 << 6,
	STAYS_COMES = 1 << 7,
	ALL_OF_WORK = LOCKS_COMES | COMES_COMES | BESIDE_COMES,
};

/* The handler that ends WORK, once. */
enum { NONE_DOES, LOCKS_DOES, STAYS_DOES };
extern uint32_t ends_work;
extern uint8_t how; /* RestartType */

#endif
