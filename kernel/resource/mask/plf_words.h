/* SPDX-License-Identifier: MIT */
#include "../syscall/plf_words.h"
