/* SPDX-License-Identifier: MIT */
static inline bool plf_hand_to_server(struct plf_core *core, struct plf_task *task)
{
	(void)core, (void)task;
	return false;
}
