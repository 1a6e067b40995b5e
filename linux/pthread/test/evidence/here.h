/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_HERE_H
#define PLF_TEST_HERE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* An address in this program, like a call's return address. */
int main(void);
#define HERE ((const void *)(uintptr_t)&main)

#endif
