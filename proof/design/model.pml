/* SPDX-License-Identifier: MIT */

/*
 * One processor and its tasks, for Spin. The actions and their effects are C: the
 * halves of protocol/ as they are shipped, and the world around them (world.h). Each action is
 * one atomic step.
 */
c_decl {
\#include <stdbool.h>
\#include <stdint.h>
struct world { uint64_t words[WORLD / 8]; };
extern void world_begin(void *world);
extern bool world_may(const void *world, unsigned action);
extern void world_act(void *world, unsigned action);
extern bool world_is_right(const void *world);
}
c_state "struct world world" "Global"

#define ACTION(n) :: d_step { c_expr { (world_may(&now.world, n)) } \
			      -> c_code { world_act(&now.world, n); } }
#define EIGHT(n) ACTION(n) ACTION(n + 1) ACTION(n + 2) ACTION(n + 3) \
		 ACTION(n + 4) ACTION(n + 5) ACTION(n + 6) ACTION(n + 7)

active proctype processor()
{
	c_code { world_begin(&now.world); };
	do
	:: c_expr { (!world_is_right(&now.world)) } -> assert(false)
	EIGHT(0) EIGHT(8) EIGHT(16) EIGHT(24)
	od
}
