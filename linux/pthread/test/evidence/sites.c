/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/* How a mutex is recognised: object, offset and order. */
#include "here.h"
#include "site.h"

#include <pthread.h>
#include <search.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 1000 };

static const void *in_libc(size_t distance)
{
	return (const char *)(uintptr_t)&hcreate + distance;
}

static void an_object_has_its_file_name(void **state)
{
	struct plf_site site;
	char on_stack;

	(void)state;
	plf_site_of(HERE, &site);
	assert_string_equal(site.module, "evidence_sites");
	plf_site_of(in_libc(0), &site);
	assert_string_equal(site.module, "libc.so.6");
	plf_site_of(&on_stack, &site);
	assert_string_equal(site.module, "unknown");
	assert_int_equal(site.offset, 0);
}

static void an_offset_counts_from_the_load_base(void **state)
{
	struct plf_site here, there;

	(void)state;
	plf_site_of(HERE, &here);
	plf_site_of((const char *)HERE + 16, &there);
	assert_int_equal(there.offset, here.offset + 16);
	assert_true(here.offset < 1 << 24); /* of a small program, at any load address */
}

static void a_symbol_is_found_while_its_object_is_there(void **state)
{
	struct plf_site site;

	(void)state;
	plf_site_of(in_libc(4), &site);
	assert_string_equal(plf_site_symbol(in_libc(4), &site), "hcreate");
	strcpy(site.module, "closed.so");
	assert_string_equal(plf_site_symbol(in_libc(4), &site), "");
}

static void keys_hold_module_offset_and_order(void **state)
{
	static const char at_limit[] =
		"123456789.123456789.123456789.123456789.123456789.123456789.123";
	static const char beyond[] =
		"123456789.123456789.123456789.123456789.123456789.123456789.123456";
	uint64_t key = plf_site_key("a", 1, 0, 1);

	(void)state;
	assert_true(key != plf_site_key("b", 1, 0, 1));
	assert_true(key != plf_site_key("a", 2, 0, 1));
	assert_true(key != plf_site_key("a", 1, 0, 2));
	assert_true(key != plf_site_key("a", 1, 1, 1));
	assert_true(key == plf_site_key("a", 1, 0, 1));
	assert_true(plf_site_key(at_limit, 1, 0, 1) == plf_site_key(beyond, 1, 0, 1));
}

static void each_site_has_its_own_order(void **state)
{
	(void)state;
	for (uint32_t order = 1; order <= 3; order++) {
		assert_int_equal(plf_site_order(in_libc(1), 0), order);
		assert_int_equal(plf_site_order(in_libc(2), 0), order);
		assert_int_equal(plf_site_order(in_libc(2), 1), order);
	}
}

static void *ask(void *seen)
{
	unsigned char *times = seen;

	for (int i = 0; i < ROUNDS; i++)
		__atomic_fetch_add(&times[plf_site_order(in_libc(3), 0)], 1, __ATOMIC_RELAXED);
	return NULL;
}

static void no_order_is_given_twice(void **state)
{
	static unsigned char times[THREADS * ROUNDS + 1];
	pthread_t thread[THREADS];

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, ask, times), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(times[0], 0);
	for (int order = 1; order <= THREADS * ROUNDS; order++)
		assert_int_equal(times[order], 1);
}

/* The last test, because it fills the table. */
static void beyond_the_bound_nothing_is_recognised(void **state)
{
	uint32_t known = 0;

	(void)state;
	for (size_t i = 100; i < 100 + PLF_SITES; i++)
		known += plf_site_order(in_libc(i), 0);
	assert_in_range(known, PLF_SITES - 10, PLF_SITES - 1); /* others are from earlier tests */
	assert_int_equal(plf_site_order(in_libc(99), 0), 0);
	assert_int_equal(plf_site_order(in_libc(1), 0), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_object_has_its_file_name),
		cmocka_unit_test(an_offset_counts_from_the_load_base),
		cmocka_unit_test(a_symbol_is_found_while_its_object_is_there),
		cmocka_unit_test(keys_hold_module_offset_and_order),
		cmocka_unit_test(each_site_has_its_own_order),
		cmocka_unit_test(no_order_is_given_twice),
		cmocka_unit_test(beyond_the_bound_nothing_is_recognised),
	};

	plf_site_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
