/* SPDX-License-Identifier: MIT */
#include "mpcp_globals.h"

#define PLF_GLOBAL_CEILINGS                                                                        \
	{                                                                                          \
		PLF_LEVELS - 1                                                                     \
	}

/* The words that tasks write themselves. */
#define PROOF_SECTION_PIECES                                                                       \
	PIECE(plf_page.resources), PIECE(plf_other_pages[1].resources), PIECE(proof_own),
