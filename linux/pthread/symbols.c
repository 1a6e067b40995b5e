/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "symbols.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

const struct link_map *plf_object_of(const void *address)
{
	struct dl_find_object found;

	return _dl_find_object((void *)address, &found) == 0 ? found.dlfo_link_map : NULL;
}

/* The loader writes addresses over these offsets, unless the section is read-only. */
static const void *dynamic(const struct link_map *object, ElfW(Sxword) tag)
{
	for (const ElfW(Dyn) *entry = object->l_ld; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == tag && entry->d_un.d_ptr < object->l_addr)
			return (const void *)(object->l_addr + entry->d_un.d_ptr);
		else if (entry->d_tag == tag)
			return (const void *)entry->d_un.d_ptr;
	return NULL;
}

/* ---- All symbols ------------------------------------------------------- */

/* Number of dynamic symbols: the last bucket of the hash table leads to the last symbol. */
static uint32_t symbol_count(const struct link_map *object)
{
	const uint32_t *hash = dynamic(object, DT_GNU_HASH);
	const uint32_t *buckets, *chain;
	uint32_t last = 0;

	if (hash == NULL)
		return 0;
	buckets = hash + 4 + hash[2] * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
	chain = buckets + hash[0];
	for (uint32_t i = 0; i < hash[0]; i++)
		last = buckets[i] > last ? buckets[i] : last;
	if (last < hash[1])
		return hash[1];
	while ((chain[last - hash[1]] & 1) == 0)
		last++;
	return last + 1;
}

struct plf_symbols plf_symbols_of(const struct link_map *object)
{
	return (struct plf_symbols) { .object = object,
				      .first = (ElfW(Sym) *)dynamic(object, DT_SYMTAB),
				      .count = symbol_count(object),
				      .names = dynamic(object, DT_STRTAB),
				      .versions = dynamic(object, DT_VERSYM) };
}

/* ---- A symbol by its name ----------------------------------------------- */

/*
 * The head of DT_GNU_HASH. Behind it are a filter, the first symbol of each bucket, and each
 * symbol's hash.
 */
struct hash_table {
	uint32_t buckets, first_symbol, filter_words, filter_shift;
};

enum { LAST_OF_BUCKET = 1 };

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 5381;

	for (; *name != '\0'; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

/* Not strcmp(), because this code finds it. */
static bool is_equal(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

const ElfW(Sym) * plf_symbol_find(const struct link_map *object, const char *name)
{
	const struct hash_table *table = dynamic(object, DT_GNU_HASH);
	const struct plf_symbols symbols = { .first = (ElfW(Sym) *)dynamic(object, DT_SYMTAB),
					     .names = dynamic(object, DT_STRTAB),
					     .versions = dynamic(object, DT_VERSYM) };
	const uint32_t *buckets, *hashes;
	const ElfW(Sym) *old = NULL;
	uint32_t hash = hash_of(name);

	if (table == NULL)
		return NULL;
	buckets = (const uint32_t *)((const ElfW(Addr) *)(table + 1) + table->filter_words);
	hashes = buckets + table->buckets - table->first_symbol;
	for (uint32_t i = buckets[hash % table->buckets]; i >= table->first_symbol; i++) {
		const ElfW(Sym) *symbol = &symbols.first[i];

		if ((hashes[i] | LAST_OF_BUCKET) == (hash | LAST_OF_BUCKET) &&
		    is_equal(plf_symbol_name(&symbols, symbol), name)) {
			if (!plf_symbol_is_old(&symbols, symbol))
				return symbol;
			old = symbol;
		}
		if ((hashes[i] & LAST_OF_BUCKET) != 0)
			break;
	}
	return old;
}

/* ---- Writing into the table -------------------------------------------- */

/* The protection of the segment in which ADDRESS lies, as mprotect() takes it. */
static int protection_at(const struct link_map *object, ElfW(Addr) address)
{
	const ElfW(Ehdr) *header = (const void *)object->l_addr;
	const ElfW(Phdr) *segment = (const void *)(object->l_addr + header->e_phoff);
	ElfW(Addr) offset = address - object->l_addr;

	for (uint32_t i = 0; i < header->e_phnum; i++, segment++)
		if (segment->p_type == PT_LOAD && offset - segment->p_vaddr < segment->p_memsz)
			return ((segment->p_flags & PF_R) != 0 ? PROT_READ : 0) |
			       ((segment->p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
			       ((segment->p_flags & PF_X) != 0 ? PROT_EXEC : 0);
	return PROT_READ;
}

bool plf_symbols_unprotect(const struct plf_symbols *symbols, bool unprotected)
{
	ElfW(Addr) page = (ElfW(Addr))sysconf(_SC_PAGESIZE);
	ElfW(Addr) begin = (ElfW(Addr))symbols->first & -page;
	ElfW(Addr) end = (ElfW(Addr))(symbols->first + symbols->count);
	int protection = protection_at(symbols->object, begin) | (unprotected ? PROT_WRITE : 0);

	return mprotect((void *)begin, end - begin, protection) == 0;
}
