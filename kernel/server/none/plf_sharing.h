/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARING_H
#define PLF_SHARING_H

/* No resource has users in several servers: see kernel/sharing.h. */

static inline void plf_push_claim(struct plf_core *core, struct plf_task *task)
{
	(void)core, (void)task;
}

static inline void plf_pop_claim(struct plf_core *core, const struct plf_task *task)
{
	(void)core, (void)task;
}

static inline void plf_load_sharing(struct plf_core *core, const struct plf_task *task)
{
	(void)core, (void)task;
}

static inline void plf_forget_claim(struct plf_task *task)
{
	(void)task;
}

static inline bool plf_waits_for_budget(struct plf_core *core, struct plf_task *task)
{
	(void)core, (void)task;
	return false;
}

static inline void plf_prepare_sharing(struct plf_server *server, unsigned index)
{
	(void)server, (void)index;
}

static inline bool plf_is_late_over(const struct plf_core *core)
{
	(void)core;
	return false;
}

static inline void plf_publish(const struct plf_core *core)
{
	(void)core;
}

static inline bool plf_begin_overrun(struct plf_server *server, uint64_t end_ns)
{
	(void)server, (void)end_ns;
	return false;
}

static inline bool plf_is_served_at_once(struct plf_core *core, uint64_t now_ns)
{
	(void)core, (void)now_ns;
	return false;
}

static inline void plf_note_others(struct plf_core *core, uint64_t until_ns)
{
	(void)core, (void)until_ns;
}

static inline bool plf_is_beyond_budget(const struct plf_server *server)
{
	(void)server;
	return false;
}

static inline void plf_charge_section(struct plf_server *server, uint64_t used_ns)
{
	(void)server, (void)used_ns;
}

static inline bool plf_counts_before(const struct plf_server *server, uint64_t since_ns)
{
	(void)server, (void)since_ns;
	return false;
}

static inline uint64_t plf_payback_ns(struct plf_server *server, bool is_next, uint64_t at_ns)
{
	(void)server, (void)is_next, (void)at_ns;
	return 0;
}

static inline bool plf_judge_section(struct plf_core *core)
{
	(void)core;
	return false;
}

static inline struct plf_server *plf_admit(struct plf_core *core, struct plf_server *server)
{
	(void)core;
	return server;
}

static inline uint64_t plf_section_until_ns(const struct plf_server *server, uint64_t now_ns)
{
	(void)server, (void)now_ns;
	return UINT64_MAX;
}

static inline bool plf_waits_for_next(const struct plf_server *server)
{
	(void)server;
	return false;
}

static inline void plf_take_claim(struct plf_core *core, struct plf_server *server)
{
	(void)core, (void)server;
}

static inline void plf_leave_claim(struct plf_core *core, struct plf_server *server)
{
	(void)core, (void)server;
}

static inline bool plf_has_runnable(const struct plf_server *server)
{
	(void)server;
	return false;
}

static inline bool plf_has_unfinished(const struct plf_server *server)
{
	(void)server;
	return false;
}

#endif
