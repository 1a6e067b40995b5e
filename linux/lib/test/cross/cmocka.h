/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CROSS_CMOCKA_H
#define PLF_TEST_CROSS_CMOCKA_H

/*
 * The part of cmocka that the tests use, for processors for which Debian has cmocka only for the
 * host. The first failure ends the program, as with cmocka under the supervisor.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*run)(void **state);
	int (*setup)(void **state);
	int (*teardown)(void **state);
};

#define cmocka_unit_test(f)                                                                        \
	{                                                                                          \
#f, f, NULL, NULL                                                                  \
	}
#define cmocka_unit_test_setup(f, before)                                                          \
	{                                                                                          \
#f, f, before, NULL                                                                \
	}
#define cmocka_unit_test_setup_teardown(f, before, after)                                          \
	{                                                                                          \
#f, f, before, after                                                               \
	}

#define print_message(...) printf(__VA_ARGS__)

#define fail_msg(...)                                                                              \
	do {                                                                                       \
		fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                    \
		fprintf(stderr, __VA_ARGS__);                                                      \
		fprintf(stderr, "\n");                                                             \
		abort();                                                                           \
	} while (0)

/* A guest has everything that a test needs, so no test may skip. */
#define skip() fail_msg("skipped")

#define assert_true(condition)                                                                     \
	do {                                                                                       \
		if (!(condition))                                                                  \
			fail_msg("%s", #condition);                                                \
	} while (0)
#define assert_false(condition)		    assert_true(!(condition))
#define assert_non_null(pointer)	    assert_true((pointer) != NULL)
#define assert_null(pointer)		    assert_true((pointer) == NULL)
#define assert_in_range(value, least, most) assert_true((value) >= (least) && (value) <= (most))
#define assert_memory_equal(a, b, bytes)    assert_true(memcmp(a, b, bytes) == 0)

#define assert_int_equal(a, b)                                                                     \
	do {                                                                                       \
		intmax_t plf_left = (intmax_t)(a), plf_right = (intmax_t)(b);                      \
                                                                                                   \
		if (plf_left != plf_right)                                                         \
			fail_msg("%s is %jd, not %jd", #a, plf_left, plf_right);                   \
                                                                                                   \
	} while (0)

/* Pointers of two types may be compared, as in cmocka. */
#define assert_ptr_equal(a, b)	   assert_true((const void *)(a) == (const void *)(b))
#define assert_ptr_not_equal(a, b) assert_true((const void *)(a) != (const void *)(b))

#define assert_string_equal(a, b)                                                                  \
	do {                                                                                       \
		const char *plf_left = (a), *plf_right = (b);                                      \
                                                                                                   \
		if (strcmp(plf_left, plf_right) != 0)                                              \
			fail_msg("%s is \"%s\", not \"%s\"", #a, plf_left, plf_right);             \
                                                                                                   \
	} while (0)

#define assert_string_not_equal(a, b) assert_true(strcmp(a, b) != 0)

static inline int run_tests(const struct CMUnitTest *test, size_t count,
			    int (*before)(void **state), int (*after)(void **state))
{
	void *state = NULL;

	if (before != NULL)
		assert_int_equal(before(&state), 0);
	for (size_t i = 0; i < count; i++) {
		fprintf(stderr, "%s\n", test[i].name);
		if (test[i].setup != NULL)
			assert_int_equal(test[i].setup(&state), 0);
		test[i].run(&state);
		if (test[i].teardown != NULL)
			assert_int_equal(test[i].teardown(&state), 0);
	}
	if (after != NULL)
		assert_int_equal(after(&state), 0);
	return 0;
}

#define cmocka_run_group_tests(tests, before, after)                                               \
	cmocka_run_group_tests_name(#tests, tests, before, after)
#define cmocka_run_group_tests_name(name, tests, before, after)                                    \
	run_tests(tests, sizeof(tests) / sizeof((tests)[0]), before, after)

#endif
