/* SPDX-License-Identifier: MIT */
/* The first attach finds no address space for the threads' shared memory. A later attach may. */
#include "../../real_time/test/refuse_call.h"
#include "team.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static void no_memory_is_enomem(void **state)
{
	struct rlimit before, none;

	(void)state;
	assert_ok(getrlimit(RLIMIT_AS, &before));
	none = before;
	none.rlim_cur = 1;
	assert_ok(setrlimit(RLIMIT_AS, &none));
	assert_int_equal(plf_attach(LOW, 0, test_flags), ENOMEM);
	assert_string_equal(plf_backend(), "none");
	assert_int_equal(plf_detach(), EPERM);
	assert_ok(setrlimit(RLIMIT_AS, &before));
	assert_ok(plf_attach(LOW, 0, test_flags));
	assert_ok(plf_detach());
}

/* The size in pages: the first field of statm. */
static long address_space(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	long pages = 0;

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%ld", &pages), 1);
	fclose(file);
	return pages;
}

/* Memory that was mapped before the error is unmapped again. */
static void attach_without_guard_pages(void)
{
	long before;

	assert_true(refuse_call(SYS_mprotect, 0, 0, ENOMEM));
	(void)address_space(); /* the first call takes some memory itself */
	before = address_space();
	assert_int_equal(plf_attach(LOW, 0, test_flags), ENOMEM);
	assert_int_equal(address_space(), before);
	assert_string_equal(plf_backend(), "none");
}

static void no_guard_is_enomem(void **state)
{
	(void)state;
	assert_ok(in_child(attach_without_guard_pages));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(no_guard_is_enomem), /* before there is an arena */
		cmocka_unit_test(no_memory_is_enomem),
	};

	return cmocka_run_group_tests_name("no memory", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
