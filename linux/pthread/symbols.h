/* SPDX-License-Identifier: MIT */
#ifndef PLF_SYMBOLS_H
#define PLF_SYMBOLS_H

/* The dynamic symbols of an object (a library or a program) that is loaded, as ELF has them. */
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plf_symbols {
	const struct link_map *object;
	ElfW(Sym) * first;
	uint32_t count; /* 0: the object has no table that this code can read */
	const char *names;
	const ElfW(Half) * versions; /* of each symbol, or NULL */
};

/* The object in which that function or variable lies; NULL: none. */
const struct link_map *plf_object_of(const void *address);

struct plf_symbols plf_symbols_of(const struct link_map *object);

/* The newest symbol of that name in the object; NULL: none. Calls no other library. */
const ElfW(Sym) * plf_symbol_find(const struct link_map *object, const char *name);

/* Permit writes to the table, or forbid them again. False: this system does not permit that. */
bool plf_symbols_unprotect(const struct plf_symbols *symbols, bool unprotected);

static inline const char *plf_symbol_name(const struct plf_symbols *symbols,
					  const ElfW(Sym) * symbol)
{
	return symbols->names + symbol->st_name;
}

/* Does the object have a newer version of this function? */
static inline bool plf_symbol_is_old(const struct plf_symbols *symbols, const ElfW(Sym) * symbol)
{
	return symbols->versions != NULL &&
	       (symbols->versions[symbol - symbols->first] & 0x8000) != 0;
}

/* Is it a function that the object defines? */
static inline bool plf_symbol_is_export(const ElfW(Sym) * symbol)
{
	return symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC;
}

#endif
