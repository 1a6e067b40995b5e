/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "libraries.h"

#include "indirect.h" /* of this processor */
#include "symbols.h"

#include <gnu/libc-version.h>

/* Found by an address in it, because another library could have its name. */
const struct link_map *plf_own_libc(void)
{
	return plf_object_of(gnu_get_libc_version());
}

bool plf_exports(const struct link_map *library, const char *name)
{
	const ElfW(Sym) *symbol = plf_symbol_find(library, name);

	return symbol != NULL && symbol->st_shndx != SHN_UNDEF;
}

bool plf_is_behind(const char *name)
{
	const struct link_map *library = plf_object_of((const void *)plf_is_behind);

	while (library->l_next != NULL) {
		library = library->l_next;
		if (plf_exports(library, name))
			return true;
	}
	return false;
}

void *plf_libc_function(const char *name)
{
	const struct link_map *libc = plf_own_libc();
	const ElfW(Sym) *symbol = plf_symbol_find(libc, name);
	ElfW(Addr) address;

	if (symbol == NULL)
		return NULL;
	address = libc->l_addr + symbol->st_value;
	if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
		address = plf_choose_function(address);
	return (void *)address;
}
