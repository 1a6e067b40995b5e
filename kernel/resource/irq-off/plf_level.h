/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_H
#define PLF_LEVEL_H

/* A task's level never changes, because the kernel is not entered in a section. */
static inline unsigned plf_running_level(struct plf_core *core, unsigned above)
{
	(void)above;
	return core->running->urgency.level;
}

static inline void plf_load_words(struct plf_core *core, struct plf_task *task, unsigned level,
				  unsigned next)
{
	(void)core, (void)next;
	task->urgency.level = (uint8_t)level;
}

#endif
