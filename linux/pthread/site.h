/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_SITE_H
#define PLF_PTHREAD_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A mutex is recognised in another run by the call that initialised it, the path to that call, and
 * the number of mutexes that were initialised there before. The call is an address of an ELF object
 * as tools print it (objdump, addr2line), independent of the load address.
 *
 * Nothing here locks or allocates, because an allocator, or a thread beside a dlopen(), may call
 * pthread_mutex_init().
 */
enum { PLF_SITES = 4096, PLF_MODULE_NAME = 64 };

struct plf_site {
	char module[PLF_MODULE_NAME]; /* file name; "unknown" outside of every object */
	uint64_t offset;	      /* from the load base; 0: unknown */
};

/* Find the file name of the program itself. Call once, before the other functions. */
void plf_site_start(void);

/* The program's path, absolute if the system gives it. */
const char *plf_site_program(void);

void plf_site_of(const void *address, struct plf_site *site);

/* The symbol that holds `address`, or "". It may lock the loader, so call it only at exit. */
const char *plf_site_symbol(const void *address, const struct plf_site *site);

/* A hash of module, offset, path (see path.h; 0: any) and order. Never 0. */
uint64_t plf_site_key(const char *module, uint64_t offset, uint64_t path, uint32_t order);

/*
 * The order, from 1, of the mutex that the call with the return address `call_site` initialises,
 * among all of that path (0: of any path). Returns 0 if there are more than PLF_SITES such places.
 */
uint32_t plf_site_order(const void *call_site, uint64_t path);

#endif
