/* SPDX-License-Identifier: MIT */
#ifndef PLF_PAGE_CALLED_H
#define PLF_PAGE_CALLED_H

/*
 * Where resources are system calls: a page with the words by which the running task knows itself.
 * The resources' words are the kernel's, for each core: RES_SCHEDULER is one on each; or for each
 * server, where these share resources.
 *
 * Included by a protocol's plf_words.h, which has defined struct plf_words.
 */
struct plf_page {
	struct plf_words words;
	PLF_SHARING_PAGE
} __attribute__((aligned(PLF_PAGE_SIZE)));

extern struct plf_page plf_page;		  /* of the first core */
extern struct plf_page plf_other_pages[PLF_CPUS]; /* of all others, by index */
extern struct plf_resource_words plf_resource_words[PLF_WORDS_ROWS]
						   [PLF_RESOURCES + PLF_GLOBALS + 1];

#endif
