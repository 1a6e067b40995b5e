/* SPDX-License-Identifier: MIT */

/*
 * In the place of kernel/scheduler/priority/waiting.c: no routine of an interrupt has a resource
 * here, so none ever waits for a section.
 */
struct plf_core;

void plf_serve_waiting(struct plf_core *core);

void plf_serve_waiting(struct plf_core *core)
{
	(void)core;
	__builtin_trap();
}
