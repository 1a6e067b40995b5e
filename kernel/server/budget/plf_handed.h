/* SPDX-License-Identifier: MIT */
/* In server.c: a decision is due, if its server is more urgent. */
void plf_give_to_server(struct plf_core *core, struct plf_task *task);

static inline bool plf_hand_to_server(struct plf_core *core, struct plf_task *task)
{
	if (task->server == core->server)
		return false;
	plf_give_to_server(core, task);
	return true;
}
