/* SPDX-License-Identifier: MIT */

/*
 * The inline functions of plafond.h as symbols, for languages that cannot read the header. Programs
 * in C and C++ have the same code inline.
 */
#define PLF_INLINE extern
#include <plafond.h>
