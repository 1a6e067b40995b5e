/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVER_MEMBERS_H
#define PLF_SERVER_MEMBERS_H

/* No servers: each core has one queue. */
#include "plf_sharing_members.h"

#define PLF_QUEUES	PLF_CPUS
#define PLF_ALARM_LISTS 1

#define PLF_SERVER_TASK_MEMBERS

#define PLF_CORE_QUEUES struct plf_queue queue;

#define plf_queue_of(core) (&(core)->queue)

#endif
