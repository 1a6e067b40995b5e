/* SPDX-License-Identifier: MIT */
#ifndef PROOF_GLOBALS_H
#define PROOF_GLOBALS_H

/* No global resource. */
#define PLF_GLOBALS	    0
#define PLF_BY_CORE	    0
#define PLF_LEVELS	    4
#define PLF_EXTENDED_STATUS 1

#define PROOF_HIGHEST(most)   3
#define PROOF_RESOURCES(most) 1
#define PROOF_CEILING_RING(core)
#define PROOF_CEILING_LEVEL(core)
#define PROOF_SECTION_PIECES PIECE(plf_resource_words),
#define PROOF_GLOBAL_PIECES

#endif
