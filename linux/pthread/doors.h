/* SPDX-License-Identifier: MIT */
#ifndef PLF_DOORS_H
#define PLF_DOORS_H

/*
 * Doors: ways to the C library's mutex and condition variable calls that bypass the drop-in. A
 * mutex of ours must not reach these calls, because the C library does not know its lock word.
 * LD_PRELOAD shuts only the first door, the global scope. Other doors are a library that was loaded
 * with RTLD_DEEPBIND, dlsym() or dlvsym() with a handle of the C library, an old version of a
 * symbol, the C library's second names (__pthread_mutex_lock), and a second C library by dlmopen().
 *
 * All of these read the symbol table of the C library. So the symbols of these functions get our
 * addresses there, before a library is loaded that could use them. A function keeps its address if
 * another preloaded library behind the drop-in defines it, too, because that library asks for it.
 */

/*
 * Shut the doors of this process's C library, but not those of other namespaces. The C library's
 * own functions must have been found before.
 */
void plf_doors_shut(void);

#endif
