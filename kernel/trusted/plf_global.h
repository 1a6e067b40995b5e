/* SPDX-License-Identifier: MIT */
/* In place of a protocol's: trusted code may only ask, and is refused. */
#include "system.h"

#if PLF_GLOBALS
#include "../global/plf_global_called.h"
#endif
