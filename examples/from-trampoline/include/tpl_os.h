/* SPDX-License-Identifier: MIT */
/* The header of Trampoline's services, by its name. */
#include <os.h>
