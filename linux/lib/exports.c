/* SPDX-License-Identifier: MIT */

/*
 * The inline functions of plafond.h as symbols, for languages that cannot read the
 * header: the same code, compiled here. Programs in C and C++ have it inline.
 */
#define PLF_INLINE extern
#include <plafond.h>
