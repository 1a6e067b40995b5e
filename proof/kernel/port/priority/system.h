/* SPDX-License-Identifier: MIT */
#ifndef PLF_SYSTEM_H
#define PLF_SYSTEM_H

/* Under fixed priorities: how urgent a task is is its level. */
#include "names.h"

#define PLF_LEVELS	       9
#define PLF_INTERNAL_RESOURCES 1

#define PLF_CEILINGS                                                                               \
	{                                                                                          \
		3, 5, 7, 5, 5                                                                      \
	}

#endif
