/* SPDX-License-Identifier: MIT */
#ifndef PLF_WORDS_H
#define PLF_WORDS_H

#include "../plf_words_claim.h"
#include "protocol/lazy_claim.h"

#endif
