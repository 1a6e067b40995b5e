/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* symbols.c alone: the symbol table in memory equals the table in the object's file. */
#include "symbols.c"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *map_file(const char *path)
{
	int file = open(path, O_RDONLY);
	struct stat status;
	char *bytes;

	assert_true(file >= 0);
	assert_int_equal(fstat(file, &status), 0);
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	assert_true(bytes != MAP_FAILED);
	close(file);
	return bytes;
}

static const ElfW(Shdr) * dynamic_symbols(const char *bytes)
{
	const ElfW(Ehdr) *header = (const void *)bytes;
	const ElfW(Shdr) *section = (const void *)(bytes + header->e_shoff);

	for (int i = 0; i < header->e_shnum; i++, section++)
		if (section->sh_type == SHT_DYNSYM)
			return section;
	fail_msg("no dynamic symbols");
	return NULL;
}

/* Compare the object in which that function lies with its file. */
static void is_as_in_the_file(const void *function, const char *path)
{
	struct plf_symbols symbols = plf_symbols_of(plf_object_of(function));
	const char *bytes = map_file(path);
	const ElfW(Shdr) *section = dynamic_symbols(bytes);
	const ElfW(Sym) *in_file = (const void *)(bytes + section->sh_offset);

	assert_int_equal(symbols.count, section->sh_size / sizeof(ElfW(Sym)));
	for (uint32_t i = 0; i < symbols.count; i++)
		assert_int_equal(symbols.first[i].st_name, in_file[i].st_name);
}

static void *function_of(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_NOW);
	void *function;

	assert_non_null(handle);
	function = dlsym(handle, name);
	assert_non_null(function);
	return function;
}

/* The program exports nothing, so its hash table leads to no symbol. */
static void of_the_program(void **state)
{
	(void)state;
	is_as_in_the_file((const void *)of_the_program, "/proc/self/exe");
}

/* In the last library the last bucket has more than two symbols. */
static void of_libraries(void **state)
{
	static const char *const libraries[][2] = { { "libc.so.6", "gnu_get_libc_version" },
						    { "libm.so.6", "cos" },
						    { "libcmocka.so.0", "_assert_true" },
						    { "libgcc_s.so.1", "_Unwind_Resume" } };

	(void)state;
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		void *function = function_of(libraries[i][0], libraries[i][1]);

		is_as_in_the_file(function, plf_object_of(function)->l_name);
	}
}

static void names_are_compared_to_their_end(void **state)
{
	(void)state;
	assert_true(is_equal("", ""));
	assert_true(is_equal("lock", "lock"));
	assert_false(is_equal("lock", "look"));
	assert_false(is_equal("lock", "clock"));
	assert_false(is_equal("lock", "locks"));
	assert_false(is_equal("locks", "lock"));
	assert_false(is_equal("", "lock"));
}

/* Of two symbols with a name, the present is found. A name without an export is not found. */
static void each_export_is_found_by_its_name(void **state)
{
	const struct link_map *libc =
		plf_object_of(function_of("libc.so.6", "gnu_get_libc_version"));
	struct plf_symbols symbols = plf_symbols_of(libc);
	uint32_t exports = 0;

	(void)state;
	for (uint32_t i = 0; i < symbols.count; i++) {
		const char *name = plf_symbol_name(&symbols, &symbols.first[i]);

		if (!plf_symbol_is_export(&symbols.first[i]) ||
		    plf_symbol_is_old(&symbols, &symbols.first[i]))
			continue;
		assert_ptr_equal(plf_symbol_find(libc, name), &symbols.first[i]);
		exports++;
	}
	assert_true(exports > 1000);
	assert_null(plf_symbol_find(libc, "no_such_function"));
	assert_null(plf_symbol_find(libc, ""));
}

/* The rights of a page, for example r-xp. */
static void read_rights(const void *address, char rights[5])
{
	FILE *maps = fopen("/proc/self/maps", "r");
	uintptr_t begin, end;
	char line[512];

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps) != NULL)
		if (sscanf(line, "%lx-%lx %4s", &begin, &end, rights) == 3 &&
		    (uintptr_t)address >= begin && (uintptr_t)address < end) {
			fclose(maps);
			return;
		}
	fail_msg("%p is not mapped", address);
}

static void each_page_is_writable_for_a_while(const struct plf_symbols *symbols)
{
	const void *last = symbols->first + symbols->count - 1;
	char before[5], meanwhile[5], after[5];

	read_rights(symbols->first, before);
	assert_int_equal(before[1], '-');
	assert_true(plf_symbols_unprotect(symbols, true));
	read_rights(symbols->first, meanwhile);
	assert_int_equal(meanwhile[1], 'w');
	assert_int_equal(meanwhile[2], before[2]);
	read_rights(last, meanwhile);
	assert_int_equal(meanwhile[1], 'w');
	assert_true(plf_symbols_unprotect(symbols, false));
	read_rights(symbols->first, after);
	assert_string_equal(after, before);
	read_rights(last, after);
	assert_string_equal(after, before);
}

/* In this program the table and the code are in the same segment. */
static void can_be_written(void **state)
{
	struct plf_symbols of_libc =
		plf_symbols_of(plf_object_of(function_of("libc.so.6", "gnu_get_libc_version")));
	struct plf_symbols own = plf_symbols_of(plf_object_of((const void *)can_be_written));
	char rights[5];

	(void)state;
	each_page_is_writable_for_a_while(&of_libc);
	read_rights(own.first, rights);
	assert_string_equal(rights, "r-xp");
	each_page_is_writable_for_a_while(&own);
}

static int no_object(const void *address)
{
	return plf_object_of(address) == NULL;
}

static void of_nothing(void **state)
{
	static char heap_like[1];

	(void)state;
	assert_true(no_object(NULL));
	assert_true(no_object(malloc(1)));
	assert_false(no_object(heap_like));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_the_program),
		cmocka_unit_test(of_libraries),
		cmocka_unit_test(names_are_compared_to_their_end),
		cmocka_unit_test(each_export_is_found_by_its_name),
		cmocka_unit_test(can_be_written),
		cmocka_unit_test(of_nothing),
	};

	return cmocka_run_group_tests_name("symbols", tests, NULL, NULL);
}
