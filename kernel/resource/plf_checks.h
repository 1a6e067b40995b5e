/* SPDX-License-Identifier: MIT */
#ifndef PLF_CHECKS_H
#define PLF_CHECKS_H

/*
 * The kernel's half of the checks in extended status: struct plf_checks in the words of the running
 * task.
 */
static inline void plf_load_checks(struct plf_words *words, const struct plf_task *task)
{
	if (PLF_EXTENDED_STATUS) {
		plf_store32(&words->checks.top, task->words.top);
		plf_store32(&words->checks.masked, task->masked);
		plf_store64(&words->checks.resources, task->resources);
	}
}

static inline void plf_leave_checks(const struct plf_words *words, struct plf_task *task)
{
	if (PLF_EXTENDED_STATUS)
		task->words.top = plf_load32(&words->checks.top);
}

static inline void plf_forget_checks(struct plf_task *task)
{
	if (PLF_EXTENDED_STATUS)
		task->words.top = 0;
}

#define plf_show_masked plf_show_masked
static inline void plf_show_masked(struct plf_core *core, bool masked)
{
	if (PLF_EXTENDED_STATUS)
		plf_store32(&core->words->checks.masked, masked);
}

#define plf_holds_resource plf_holds_resource
static inline bool plf_holds_resource(struct plf_core *core)
{
	return PLF_EXTENDED_STATUS && plf_load32(&core->words->checks.top) != 0;
}

#endif
