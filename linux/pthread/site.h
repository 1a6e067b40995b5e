/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_SITE_H
#define PLF_PTHREAD_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How a mutex is recognised in another run: by the place in the program that
 * initialised it, the path to there, and by how many were initialised there before. The place is an
 * address of an ELF object as tools print it (objdump, addr2line), free of where
 * the object was loaded.
 *
 * Nothing here locks or allocates: pthread_mutex_init() may be called by an
 * allocator, or beside a dlopen().
 */
enum { PLF_SITES = 4096, PLF_MODULE_NAME = 64 };

struct plf_site {
	char module[PLF_MODULE_NAME]; /* file name; "unknown" outside of every object */
	uint64_t offset;	      /* from the load base; 0 if unknown */
};

/* Once, before the others: the file name of the program itself. */
void plf_site_start(void);

/* The program's path, absolute where the system gives it. */
const char *plf_site_program(void);

void plf_site_of(const void *address, struct plf_site *site);

/* The symbol that holds `address`, or "". It may lock the loader: only at exit. */
const char *plf_site_symbol(const void *address, const struct plf_site *site);

/* One number for a module, offset, path (see path.h; 0: any) and order. Never 0. */
uint64_t plf_site_key(const char *module, uint64_t offset, uint64_t path, uint32_t order);

/*
 * The order, from 1, of the mutex that is being initialised by the call that
 * returns to `call_site`, among all of that path (0: of any); 0 if there are more than PLF_SITES
 * such places.
 */
uint32_t plf_site_order(const void *call_site, uint64_t path);

#endif
