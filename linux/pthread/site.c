/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "site.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The path of the program itself, for which the loader has no name. */
static char program[PATH_MAX] = "unknown";

static struct {
	uint64_t key; /* of the site and path, with order 0; 0: free */
	uint32_t mutexes;
} sites[PLF_SITES];

void plf_site_start(void)
{
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	if (length > 0)
		program[length] = '\0';
	else
		snprintf(program, sizeof(program), "%s", program_invocation_name);
}

const char *plf_site_program(void)
{
	return program;
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

/*
 * Not dladdr(), because that locks the loader, and another thread's dlopen() holds this lock while
 * constructors run.
 */
void plf_site_of(const void *address, struct plf_site *site)
{
	struct dl_find_object found;
	const struct link_map *map;

	memset(site, 0, sizeof(*site));
	if (_dl_find_object((void *)(uintptr_t)address, &found) != 0) {
		strcpy(site->module, "unknown");
		return;
	}
	map = found.dlfo_link_map;
	snprintf(site->module, sizeof(site->module), "%.*s", PLF_MODULE_NAME - 1,
		 file_name(map->l_name[0] == '\0' ? program : map->l_name));
	site->offset = (uintptr_t)address - map->l_addr;
}

const char *plf_site_symbol(const void *address, const struct plf_site *site)
{
	struct plf_site now;
	Dl_info info;

	plf_site_of(address, &now); /* another object may lie at the place of a closed object */
	if (strcmp(now.module, site->module) != 0 || now.offset != site->offset)
		return "";
	return dladdr(address, &info) != 0 && info.dli_sname != NULL ? info.dli_sname : "";
}

/* FNV-1a. */
static uint64_t hash(uint64_t value, const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < size; i++)
		value = (value ^ byte[i]) * 0x100000001b3;
	return value;
}

uint64_t plf_site_key(const char *module, uint64_t offset, uint64_t path, uint32_t order)
{
	uint64_t key = 0xcbf29ce484222325;

	key = hash(key, module, strnlen(module, PLF_MODULE_NAME - 1));
	key = hash(key, &offset, sizeof(offset));
	key = hash(key, &path, sizeof(path));
	key = hash(key, &order, sizeof(order));
	return key == 0 ? 1 : key;
}

uint32_t plf_site_order(const void *call_site, uint64_t path)
{
	struct plf_site site;
	uint64_t key;

	plf_site_of(call_site, &site);
	key = plf_site_key(site.module, site.offset, path, 0);
	for (size_t i = 0; i < PLF_SITES; i++) {
		size_t at = (key + i) % PLF_SITES;
		uint64_t found = 0;

		if (__atomic_compare_exchange_n(&sites[at].key, &found, key, false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
		    found == key)
			return __atomic_add_fetch(&sites[at].mutexes, 1, __ATOMIC_RELAXED);
	}
	return 0;
}
