/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Which backend a process gets, with the kernel module and without it: by flag, by environment, the
 * backend in use, or else the best backend.
 */
#include "team.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static bool has_device(void)
{
	return access("/dev/plafond", R_OK | W_OK) == 0;
}

static const char *best(void)
{
	return has_device() ? "module" : "user";
}

static void attach_and_expect(unsigned flags, const char *backend)
{
	assert_ok(plf_attach(LOW, 0, flags));
	assert_string_equal(plf_backend(), backend);
	assert_ok(plf_detach());
	assert_string_equal(plf_backend(), "none");
}

static void best_is_chosen(void **state)
{
	(void)state;
	attach_and_expect(0, best());
	attach_and_expect(PLF_BACKEND_USER, "user");
	attach_and_expect(PLF_BACKEND_SYSCALL, "syscall");
}

static void module_is_never_replaced(void **state)
{
	int expected = has_device() ? 0 : ENODEV;

	(void)state;
	assert_int_equal(plf_attach(LOW, 0, PLF_BACKEND_MODULE), expected);
	assert_string_equal(plf_backend(), has_device() ? "module" : "none");
	assert_int_equal(plf_detach(), has_device() ? 0 : EPERM);
	setenv("PLAFOND_BACKEND", "module", 1);
	assert_int_equal(plf_attach(LOW, 0, 0), expected);
	assert_int_equal(plf_detach(), has_device() ? 0 : EPERM);
	unsetenv("PLAFOND_BACKEND");
}

static void environment_goes_before_the_best(void **state)
{
	(void)state;
	setenv("PLAFOND_BACKEND", "user", 1);
	attach_and_expect(0, "user");
	unsetenv("PLAFOND_BACKEND");
}

static void attach_without_a_wish(void *backend)
{
	assert_ok(plf_attach(20, 0, 0));
	assert_string_equal(plf_backend(), backend);
	assert_ok(plf_detach());
}

/* A thread without a request gets the backend of the others. */
static void backend_in_use_goes_before_the_best(void **state)
{
	static const struct {
		unsigned flag;
		char name[8];
	} first[] = { { PLF_BACKEND_USER, "user" }, { PLF_BACKEND_SYSCALL, "syscall" } };

	(void)state;
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		struct member other;

		assert_ok(plf_attach(LOW, 0, first[i].flag));
		start_stranger(&other, 20, attach_without_a_wish, (void *)first[i].name);
		join(&other);
		assert_ok(plf_detach());
	}
}

static void strict_at_99_is_einval(void **state)
{
	int expected = has_device() ? EINVAL : ENODEV;

	(void)state;
	assert_int_equal(plf_attach(0, 0, PLF_BACKEND_MODULE | PLF_STRICT), expected);
	assert_int_equal(plf_attach(99, 0, PLF_BACKEND_MODULE | PLF_STRICT), expected);
	assert_int_equal(plf_attach(99, 0, PLF_BACKEND_MODULE), has_device() ? 0 : ENODEV);
	assert_int_equal(plf_detach(), has_device() ? 0 : EPERM);
}

static int open_files(void)
{
	DIR *directory = opendir("/proc/self/fd");
	int count = 0;

	assert_non_null(directory);
	while (readdir(directory) != NULL)
		count++;
	closedir(directory);
	return count;
}

/* Otherwise the module could not be unloaded. */
static void device_is_open_while_needed(void **state)
{
	int before = open_files();

	(void)state;
	assert_int_equal(plf_attach(LOW, 0, PLF_BACKEND_MODULE), has_device() ? 0 : ENODEV);
	assert_int_equal(open_files(), has_device() ? before + 1 : before);
	assert_int_equal(plf_detach(), has_device() ? 0 : EPERM);
	assert_int_equal(open_files(), before);
	assert_int_equal(plf_attach(LOW, 1000, PLF_BACKEND_MODULE), has_device() ? EINVAL : ENODEV);
	assert_int_equal(open_files(), before);
}

/* Some programs close all files that they did not open. If `others`, new files get the numbers. */
static void lose_device(bool others)
{
	assert_ok(close_range(3, ~0U, 0));
	for (int i = 0; i < 8 && others; i++)
		assert_true(open("/dev/null", O_RDWR) >= 0);
}

static void sleep_in_section_and_lose_device(void)
{
	plf_mutex_t mutex = PLF_MUTEX_INITIALIZER(40);

	for (int others = 0; others < 2; others++) {
		assert_ok(plf_attach(LOW, 0, PLF_BACKEND_MODULE));
		assert_ok(plf_mutex_lock(&mutex));
		sleep_ms(1);
		assert_int_equal(kernel_priority(gettid()), 40);
		lose_device(others);
		assert_ok(plf_mutex_unlock(&mutex));
		assert_int_equal(kernel_priority(gettid()), LOW);
		lose_device(others);
		assert_ok(plf_detach());
	}
}

static void a_device_that_was_closed_is_opened_anew(void **state)
{
	(void)state;
	if (has_device())
		assert_ok(in_child(sleep_in_section_and_lose_device));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(best_is_chosen),
		cmocka_unit_test(module_is_never_replaced),
		cmocka_unit_test(environment_goes_before_the_best),
		cmocka_unit_test(backend_in_use_goes_before_the_best),
		cmocka_unit_test(strict_at_99_is_einval),
		cmocka_unit_test(device_is_open_while_needed),
		cmocka_unit_test(a_device_that_was_closed_is_opened_anew),
	};

	unsetenv("PLAFOND_BACKEND");
	return cmocka_run_group_tests_name("choice of the backend", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
