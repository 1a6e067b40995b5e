/* SPDX-License-Identifier: MIT */
/*
 * In server.c: make the task ready in the queue of its server. If that server is more urgent than
 * the current server, a decision becomes due.
 */
void plf_give_to_server(struct plf_core *core, struct plf_task *task);

static inline bool plf_hand_to_server(struct plf_core *core, struct plf_task *task)
{
	if (task->server == core->server)
		return false;
	plf_give_to_server(core, task);
	return true;
}
