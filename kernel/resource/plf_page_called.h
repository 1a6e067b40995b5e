/* SPDX-License-Identifier: MIT */
#ifndef PLF_PAGE_CALLED_H
#define PLF_PAGE_CALLED_H

/*
 * If resources are system calls: a page with words that identify the running task to user code. The
 * words of resources are in kernel memory. Each core has a row, because each core has its
 * RES_SCHEDULER. If servers share resources, each server has a row.
 *
 * A protocol's plf_words.h defines struct plf_words, and then includes this file.
 */
struct plf_page {
	struct plf_words words;
	PLF_SHARING_PAGE
} __attribute__((aligned(PLF_PAGE_SIZE)));

extern struct plf_page plf_page;		  /* of the first core */
extern struct plf_page plf_other_pages[PLF_CPUS]; /* of all other cores, by index */
extern struct plf_resource_words plf_resource_words[PLF_WORDS_ROWS]
						   [PLF_RESOURCES + PLF_GLOBALS + 1];

#endif
