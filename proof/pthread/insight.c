/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "insight.h"

#include "arrival.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char library[] = "libplafond-pthread.so";

struct image {
	const char *path;
	uintptr_t base; /* load address */
	uintptr_t tls;	/* offset of its thread-local memory from the thread pointer */
	const uint8_t *file;
};

static struct image image;
static struct plf_arena **arena;
static uintptr_t member_at, counts_at; /* offsets from the thread pointer */
static const ElfW(Sym) * restarts;

static uintptr_t thread_pointer(void)
{
	return (uintptr_t)__builtin_thread_pointer();
}

static int find_image(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	if (strstr(info->dlpi_name, library) == NULL || info->dlpi_tls_data == NULL)
		return 0;
	image.path = info->dlpi_name;
	image.base = info->dlpi_addr;
	image.tls = (uintptr_t)info->dlpi_tls_data - thread_pointer();
	return 1;
}

static int map_file(void)
{
	int fd = open(image.path, O_RDONLY | O_CLOEXEC);
	struct stat stat;
	void *file;

	if (fd < 0 || fstat(fd, &stat) != 0)
		return errno;
	file = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return errno;
	image.file = file;
	return 0;
}

static const ElfW(Shdr) * sections(void)
{
	const ElfW(Ehdr) *header = (const void *)image.file;

	return (const void *)(image.file + header->e_shoff);
}

static const ElfW(Shdr) * find_section(const char *name)
{
	const ElfW(Ehdr) *header = (const void *)image.file;
	const ElfW(Shdr) *section = sections();
	const char *names = (const char *)image.file + section[header->e_shstrndx].sh_offset;

	for (size_t i = 0; i < header->e_shnum; i++)
		if (strcmp(names + section[i].sh_name, name) == 0)
			return &section[i];
	return NULL;
}

/* Returns NULL if there is no such symbol. */
static const ElfW(Sym) * find_symbol(const char *name)
{
	const ElfW(Shdr) *table = find_section(".symtab");
	const ElfW(Sym) * symbol;
	const char *names;

	if (table == NULL)
		return NULL;
	symbol = (const void *)(image.file + table->sh_offset);
	names = (const char *)image.file + sections()[table->sh_link].sh_offset;
	for (size_t i = 0; i < table->sh_size / sizeof(*symbol); i++)
		if (strcmp(names + symbol[i].st_name, name) == 0)
			return &symbol[i];
	return NULL;
}

int insight_setup(void)
{
	const ElfW(Shdr) * descriptors;
	const ElfW(Sym) * of_arena, *of_member, *of_counts;
	int error;

	if (dl_iterate_phdr(find_image, NULL) == 0)
		return ENOENT;
	error = map_file();
	if (error != 0)
		return error;
	descriptors = find_section("plf_rseq_cs");
	of_arena = find_symbol("plf_arena");
	of_member = find_symbol("plf_me");
	of_counts = find_symbol("plf_counts");
	restarts = find_symbol("plf_kernel_restart_sequences");
	if (descriptors == NULL || of_arena == NULL || of_member == NULL || of_counts == NULL ||
	    restarts == NULL)
		return EINVAL;
	arena = (struct plf_arena **)(image.base + of_arena->st_value);
	member_at = of_member->st_value + image.tls;
	counts_at = of_counts->st_value + image.tls;
	arrival_know_sequences((const void *)(image.base + descriptors->sh_addr),
			       descriptors->sh_size / sizeof(struct rseq_cs));
	return 0;
}

struct plf_member *insight_member(void)
{
	return (struct plf_member *)(thread_pointer() + member_at);
}

struct plf_stats_counts *insight_counts(void)
{
	return (struct plf_stats_counts *)(thread_pointer() + counts_at);
}

struct plf_arena *insight_arena(void)
{
	return *arena;
}

bool insight_is_restarting(const uint8_t *address)
{
	return (uintptr_t)address - (image.base + restarts->st_value) < restarts->st_size;
}
