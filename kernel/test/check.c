/* SPDX-License-Identifier: MIT */
#include "check.h"

struct test test;
