/* SPDX-License-Identifier: MIT */
#include "../uprio-kprio/plf_words.h"
