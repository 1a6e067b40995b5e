/* SPDX-License-Identifier: MIT */
#ifndef PLF_PAGE_H
#define PLF_PAGE_H

/*
 * The memory that the tasks of a core share, where resources are user code: a page with the words
 * of the running task, which the kernel reads and writes, and behind it those of the resources,
 * which only tasks do. They lie together so that user code finds both from one address.
 *
 * Included by a protocol's plf_words.h, which has defined struct plf_words.
 */
struct plf_page {
	struct plf_words words;
	PLF_SHARING_PAGE
	struct plf_resource_words resources[PLF_RESOURCES + 1]
		__attribute__((aligned(PLF_PAGE_SIZE)));
#if PLF_GLOBAL_IN_USER_MODE
	struct plf_global_words globals[PLF_GLOBALS];
#endif
};

extern struct plf_page plf_page;		  /* of the first core */
extern struct plf_page plf_other_pages[PLF_CPUS]; /* of all others, by index */

#endif
