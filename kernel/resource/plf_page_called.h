/* SPDX-License-Identifier: MIT */
#ifndef PLF_PAGE_CALLED_H
#define PLF_PAGE_CALLED_H

/*
 * Where resources are system calls: a page with the words by which the running task knows itself.
 * The resources' words are the kernel's.
 *
 * Included by a protocol's plf_words.h, which has defined struct plf_words.
 */
struct plf_page {
	struct plf_words words;
} __attribute__((aligned(PLF_PAGE_SIZE)));

extern struct plf_page plf_page;
extern struct plf_resource_words plf_resource_words[PLF_RESOURCES + 1];

#endif
