/* SPDX-License-Identifier: MIT */
#include "mpcp_globals.h"

#define PROOF_SECTION_PIECES PIECE(plf_resource_words),
