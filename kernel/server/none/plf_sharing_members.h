/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARING_MEMBERS_H
#define PLF_SHARING_MEMBERS_H

/* No resource has users in several servers: see kernel/sharing.h. */
#define PLF_SHARING 0

#define PLF_WORDS_ROWS PLF_CPUS /* rows of plf_resource_words, if sections are system calls */

#define PLF_SHARING_PAGE
#define PLF_SHARING_RESOURCE
#define PLF_SHARING_TASK
#define PLF_SHARING_TASK_CONFIG
#define PLF_SHARING_SERVER
#define PLF_SHARING_SERVER_CONFIG
#define PLF_SHARING_CORE

#endif
