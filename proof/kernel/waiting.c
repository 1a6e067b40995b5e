/* SPDX-License-Identifier: MIT */

/*
 * No routine of an interrupt has a resource here, so none ever waits for a section. A file of its
 * own, so that the kernel's code is laid out as if this were not there.
 */
struct plf_core;

void plf_serve_waiting(struct plf_core *core);

void plf_serve_waiting(struct plf_core *core)
{
	(void)core;
	__builtin_trap();
}
