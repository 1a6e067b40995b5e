/* SPDX-License-Identifier: MIT */
#ifndef PLF_DOORS_H
#define PLF_DOORS_H

/*
 * Doors: ways to the C library's mutex and condition variable calls that do not lead past the
 * drop-in. A mutex of ours must not reach them, because the C library does not know its lock word.
 * LD_PRELOAD shuts the first door only, the global scope. Others are a library that was loaded with
 * RTLD_DEEPBIND, dlsym() or dlvsym() with a handle of the C library, an old version of a symbol,
 * the C library's second names (__pthread_mutex_lock), and a second C library by dlmopen().
 *
 * All of these read the symbol table of the C library. So there the symbols of these functions get
 * our addresses, before a library is loaded that could use them. A function that another preloaded
 * library behind this one defines, too, keeps its address, because that library asks for it.
 */

/*
 * Shut the doors of the C library of this process, but not those of other namespaces. The own
 * functions of the C library must have been found before.
 */
void plf_doors_shut(void);

#endif
