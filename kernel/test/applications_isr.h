/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_APPLICATIONS_ISR_H
#define PLF_TEST_APPLICATIONS_ISR_H

/* The sources of the description, a bit each. */
enum {
	LOCKS_COMES = 1 << 4,
	COMES_COMES = 1 << 5,
	BESIDE_COMES = 1 << 6,
	STAYS_COMES = 1 << 7,
	ALL_OF_WORK = LOCKS_COMES | COMES_COMES | BESIDE_COMES,
};

#endif
