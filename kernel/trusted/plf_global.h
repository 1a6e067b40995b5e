/* SPDX-License-Identifier: MIT */
/* For trusted code, in place of a protocol's header. The kernel refuses all requests. */
#include "plf_global_members.h"
#include "system.h"

#if PLF_GLOBALS && PLF_GLOBAL_SPINS
#include "../global/plf_spinlock_called.h"
#elif PLF_GLOBALS
#include "../global/plf_global_called.h"
#endif
