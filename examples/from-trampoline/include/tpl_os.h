/* SPDX-License-Identifier: MIT */
/* Trampoline's name for the header of the services. */
#include <os.h>
