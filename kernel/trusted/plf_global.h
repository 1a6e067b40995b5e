/* SPDX-License-Identifier: MIT */
/* In place of a protocol's: trusted code may only ask, and is refused. */
#include "plf_global_members.h"
#include "system.h"

#if PLF_GLOBALS && PLF_GLOBAL_SPINS
#include "../global/plf_spinlock_called.h"
#elif PLF_GLOBALS
#include "../global/plf_global_called.h"
#endif
