/* SPDX-License-Identifier: MIT */
#define PLF_INHERITS 0 /* whether a holder inherits the level of the tasks that wait */

#include "../plf_words_waiting.h"
