/* SPDX-License-Identifier: MIT */
#ifndef PLF_LIBRARIES_H
#define PLF_LIBRARIES_H

/*
 * Functions of one library, whatever library stands before it. dlsym() takes a handle, for which
 * dlopen() allocates memory, and a search in vain allocates an error message. An allocator that
 * locks would come back here. So the symbol tables are read. This locks and allocates nothing.
 */
#include <link.h>
#include <stdbool.h>

bool plf_exports(const struct link_map *library, const char *name);

/* Does a library behind this one, in the order of the loader, export that name? */
bool plf_is_behind(const char *name);

/* The C library of this process, not of another namespace. */
const struct link_map *plf_own_libc(void);

/* The C library's own function, in its present version; NULL: there is none. */
void *plf_libc_function(const char *name);

#endif
