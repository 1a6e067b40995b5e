/* SPDX-License-Identifier: MIT */
/*
 * For trusted code, in place of a protocol's header: without words, services are system calls. The
 * kernel serves interrupt routines with declared resources, and refuses all other callers.
 */
#include "../resource/plf_called.h"
