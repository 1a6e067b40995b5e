/* SPDX-License-Identifier: MIT */
#ifndef PROOF_MPCP_GLOBALS_H
#define PROOF_MPCP_GLOBALS_H

/*
 * A global resource. Its users are all tasks with one activation, and its ceiling is the highest
 * level. Standard status, because in extended status no task would end inside.
 */
#define PLF_GLOBALS	    1
#define PLF_BY_CORE	    0
#define PLF_LEVELS	    5
#define PLF_EXTENDED_STATUS 0

#define PROOF_HIGHEST(most)	 ((most) > 1 ? 3 : 4)
#define PROOF_RESOURCES(most)	 ((most) > 1 ? 1 : 3)
#define PROOF_CEILING_RING(core) , RING(core, 4)
#define PROOF_CEILING_LEVEL(core)                                                                  \
	,                                                                                          \
	{                                                                                          \
		.places = proof_places.ceiling[core], .mask = PLACES - 1                           \
	}
#define PROOF_GLOBAL_PIECES PIECE(plf_globals[0].words[0]), PIECE(proof_states),

#endif
