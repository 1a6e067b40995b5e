/* SPDX-License-Identifier: MIT */

/*
 * In place of kernel/scheduler/priority/waiting.c. No interrupt routine has a resource here, so no
 * routine ever waits for a section.
 */
struct plf_core;

void plf_serve_waiting(struct plf_core *core);

void plf_serve_waiting(struct plf_core *core)
{
	(void)core;
	__builtin_trap();
}
