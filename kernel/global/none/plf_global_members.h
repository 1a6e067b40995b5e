/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_MEMBERS_H
#define PLF_GLOBAL_MEMBERS_H

/* No global resources. */
#define PLF_GLOBAL_IN_USER_MODE 0
#define PLF_GLOBAL_SPINS	0
#define PLF_GLOBAL_MARK(user)	(UINT64_C(1) << (user))
#define PLF_GLOBAL_PLACE(user)	0
#define PLF_GLOBAL_TASK_MEMBERS
#define PLF_GLOBAL_LEVELS
#define PLF_GLOBAL_QUEUE

#endif
