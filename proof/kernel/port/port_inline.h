/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_INLINE_H
#define PLF_PORT_INLINE_H

static inline void plf_port_note_end(StatusType status, const char *service)
{
	(void)status, (void)service;
}

static inline void plf_port_end_context(struct plf_task *task)
{
	(void)task;
}

#endif
