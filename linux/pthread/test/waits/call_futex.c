/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* The kernel's futexes, as libraries with their own locks use them. */
#include "call.h"
#include "stage.h"

#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t word;

static void make(void)
{
	word = 0;
}

static void wake(void)
{
	__atomic_store_n(&word, 1, __ATOMIC_RELEASE);
	check(syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1) >= 0);
}

static void nothing(void)
{
}

static const struct setting zero = { make, wake, nothing };

CALL(syscall, zero, NOT_POINT, 0, 0,
     syscall(SYS_futex, &word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, NULL));
