/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* libraries.c alone: it finds the same symbols as dlsym(), and no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "libraries.h"
#include "own_calls.h"
#include "symbols.h"

#include <dlfcn.h>
#include <string.h>

#define NAME(function) #function,

static const char *const own_calls[] = { PLF_OWN_CALLS(NAME) };

/* A hidden name, with which programs are not linked, is the second name of a function. */
static void *expected(void *libc, const char *name)
{
	void *address = dlsym(libc, name);

	return address == NULL && strncmp(name, "__", 2) == 0 ? dlsym(libc, name + 2) : address;
}

/* Some have several bodies for processors, some several versions, and some a hidden name. */
static void functions_of_libc_are_those_of_its_handle(void **state)
{
	void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);

	(void)state;
	assert_non_null(libc);
	for (size_t i = 0; i < sizeof(own_calls) / sizeof(own_calls[0]); i++) {
		assert_non_null(plf_libc_function(own_calls[i]));
		assert_ptr_equal(plf_libc_function(own_calls[i]), expected(libc, own_calls[i]));
	}
	dlclose(libc);
}

static void a_name_that_libc_lacks_is_not_found(void **state)
{
	static const char *const names[] = { "", "p", "plf_no_such_function", "dlsymx", "xdlsym" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_null(plf_libc_function(names[i]));
}

static void libc_exports_its_functions(void **state)
{
	(void)state;
	assert_true(plf_exports(plf_own_libc(), "dlsym"));
	assert_false(plf_exports(plf_own_libc(), "plf_no_such_function"));
	assert_ptr_equal(plf_object_of((void *)(uintptr_t)plf_libc_function("dlsym")),
			 plf_own_libc());
	assert_null(plf_object_of(NULL));
}

void plf_of_this_program(void);

void plf_of_this_program(void)
{
}

/* libc and others are behind the program, but not the program itself. */
static void the_caller_is_not_behind_itself(void **state)
{
	(void)state;
	assert_true(plf_is_behind("dlsym"));
	assert_false(plf_is_behind("plf_of_this_program"));
	assert_true(plf_exports(plf_object_of((void *)(uintptr_t)plf_of_this_program),
				"plf_of_this_program"));
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(functions_of_libc_are_those_of_its_handle),
		cmocka_unit_test(a_name_that_libc_lacks_is_not_found),
		cmocka_unit_test(libc_exports_its_functions),
		cmocka_unit_test(the_caller_is_not_behind_itself),
	};

	return cmocka_run_group_tests_name("libraries", all, NULL, NULL);
}
