/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "doors.h"

#include "libc.h"
#include "libraries.h"
#include "symbols.h"

#include <dlfcn.h>
#include <string.h>

/* Make all names and versions under which LIBC exports the function THEIRS lead to OURS. */
static void redirect(const struct plf_symbols *libc, ElfW(Addr) theirs, ElfW(Addr) ours)
{
	ElfW(Addr) value = ours - libc->object->l_addr;

	for (ElfW(Sym) *symbol = libc->first; symbol < libc->first + libc->count; symbol++)
		if (plf_symbol_is_export(symbol) && symbol->st_value == theirs)
			__atomic_store_n(&symbol->st_value, value, __ATOMIC_RELAXED);
}

/* 0: the drop-in has no such function. */
static ElfW(Addr) own_function(const struct plf_symbols *own, const char *name, bool old)
{
	for (const ElfW(Sym) *symbol = own->first; symbol < own->first + own->count; symbol++)
		if (plf_symbol_is_export(symbol) && plf_symbol_is_old(own, symbol) == old &&
		    strcmp(plf_symbol_name(own, symbol), name) == 0)
			return own->object->l_addr + symbol->st_value;
	return 0;
}

/* Does a library other than NEXT have the next function of that name behind the drop-in? */
static bool is_wrapped(const char *name, const struct link_map *next)
{
	const struct link_map *found = plf_object_of(dlsym(RTLD_NEXT, name));

	return found != next && found != plf_object_of((const void *)plf_doors_shut);
}

static bool has_door(const char *name)
{
	return strncmp(name, "pthread_mutex_", 14) == 0 || strncmp(name, "pthread_cond_", 13) == 0;
}

static void shut_each(const struct plf_symbols *libc, const struct plf_symbols *own,
		      const struct link_map *next)
{
	for (const ElfW(Sym) *symbol = libc->first; symbol < libc->first + libc->count; symbol++) {
		const char *name = plf_symbol_name(libc, symbol);
		ElfW(Addr) ours;

		if (!plf_symbol_is_export(symbol) || !has_door(name))
			continue;
		ours = own_function(own, name, plf_symbol_is_old(libc, symbol));
		if (ours != 0 && !is_wrapped(name, next))
			redirect(libc, symbol->st_value, ours);
	}
}

/* If a system lets no memory become writable, the doors stay as they are. */
static void shut(const struct link_map *object)
{
	struct plf_symbols libc = plf_symbols_of(object);
	struct plf_symbols own = plf_symbols_of(plf_object_of((const void *)plf_doors_shut));

	if (!plf_symbols_unprotect(&libc, true))
		return;
	shut_each(&libc, &own, plf_own_libc());
	plf_symbols_unprotect(&libc, false);
}

static bool are_shut;

void plf_doors_shut(void)
{
	are_shut = true;
	shut(plf_own_libc());
}

/* ---- A second C library --------------------------------------------------- */

static void *held; /* a handle of the C library of the last new namespace */

static void hold(void *libc)
{
	void *before = __atomic_exchange_n(&held, libc, __ATOMIC_ACQ_REL);

	if (before != NULL)
		dlclose(before);
}

/*
 * The new namespace gets its C library before the object that the program wants, so no code of that
 * object finds an open door. The next such call gives back the handle, because the object itself
 * holds the library then. Otherwise the namespace would stay when the program closes the object.
 */
static Lmid_t new_namespace(void)
{
	void *libc;
	Lmid_t lmid;

	hold(NULL);
	libc = PLF_LIBC(dlmopen)(LM_ID_NEWLM, plf_own_libc()->l_name, RTLD_LAZY);
	if (libc == NULL || dlinfo(libc, RTLD_DI_LMID, &lmid) != 0)
		return LM_ID_NEWLM;
	shut(plf_object_of(dlsym(libc, "gnu_get_libc_version")));
	hold(libc);
	return lmid;
}

/* The last call is a jump, because the C library looks for the object by the path of its caller. */
PLF_EXPORT void *dlmopen(Lmid_t lmid, const char *file, int mode)
{
	if (lmid == LM_ID_NEWLM && are_shut)
		lmid = new_namespace();
	return PLF_LIBC(dlmopen)(lmid, file, mode);
}
