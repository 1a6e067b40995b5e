/* SPDX-License-Identifier: MIT */
#ifndef PLF_PAGE_H
#define PLF_PAGE_H

/*
 * The memory that the tasks of a core share, if resources are user code. The words of the running
 * task come first. The kernel reads and writes them. The words of resources follow, which only
 * tasks access. They lie together, so user code finds both from a single address.
 *
 * A protocol's plf_words.h defines struct plf_words, and then includes this file.
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
extern struct plf_page plf_other_pages[PLF_CPUS]; /* of all other cores, by index */

#endif
