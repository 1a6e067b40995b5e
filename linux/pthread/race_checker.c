/* SPDX-License-Identifier: MIT */
#include "race_checker.h"

#include "libraries.h"

#include <string.h>

bool plf_is_sanitizer_behind(void)
{
	return plf_is_behind("__tsan_init");
}

static bool is_of_valgrind(const char *path)
{
	return strstr(path, "/vgpreload_helgrind") != NULL ||
	       strstr(path, "/vgpreload_drd") != NULL;
}

/* Valgrind preloads a library for each tool. */
static bool is_under_valgrind(void)
{
	const struct link_map *library = plf_own_libc();

	for (; library != NULL; library = library->l_prev)
		if (is_of_valgrind(library->l_name))
			return true;
	return false;
}

const char *plf_why_unseen(void)
{
	if (plf_is_sanitizer_behind())
		return "found the library of ThreadSanitizer behind the drop-in, expected it "
		       "before it in LD_PRELOAD";
	return is_under_valgrind() ? "found helgrind or DRD, which see only the C library's mutexes"
				   : NULL;
}
