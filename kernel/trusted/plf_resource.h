/* SPDX-License-Identifier: MIT */
/* In place of a protocol's: trusted code has no words of its own, so it may only ask, and is
 * refused. */
#include "../resource/plf_called.h"
