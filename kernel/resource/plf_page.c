/* SPDX-License-Identifier: MIT */
#include "plf_words.h"

struct plf_page plf_page __attribute__((section(".plf_words"), aligned(PLF_PAGE_SIZE)));

/* Tasks find the page of their core at the same address on every core: plf_find.h of the port. */
struct plf_page plf_other_pages[PLF_CPUS] __attribute__((aligned(PLF_PAGE_SIZE)));

/* For plf_page_called.h. The image contains it only if resources are system calls. */
struct plf_resource_words plf_resource_words[PLF_WORDS_ROWS][PLF_RESOURCES + PLF_GLOBALS + 1];
