/* SPDX-License-Identifier: MIT */
#ifndef PLF_LIBRARIES_H
#define PLF_LIBRARIES_H

/*
 * Functions of a given library, regardless of the libraries before it. dlsym() will not do, because
 * it takes a handle, for which dlopen() allocates memory, and a search in vain allocates an error
 * message. An allocator that locks would come back here. So this code reads the symbol tables; it
 * locks and allocates nothing.
 */
#include <link.h>
#include <stdbool.h>

bool plf_exports(const struct link_map *library, const char *name);

/* Does a library behind the drop-in, in the loader's order, export that name? */
bool plf_is_behind(const char *name);

/* The C library of this process, not that of another namespace. */
const struct link_map *plf_own_libc(void);

/* The C library's function of that name, in its newest version; NULL: there is none. */
void *plf_libc_function(const char *name);

#endif
