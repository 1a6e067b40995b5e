/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The kernel cuts an interrupt thread's name to 15 letters; complete it. And find whether an
 * interrupt exists if no thread has its name.
 */
#include "program.h"

#include "../../machine/threads.h"
#include "../interrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/plafond-names-XXXXXX";

static const char *const actions[] = { "virtio1-input.0", "virtio1-output.0", "ehci",
				       "smp_affinity" };
enum { ACTIONS = 4, FILE_ACTION = 3 };

static int make_actions(void **state)
{
	(void)state;
	if (mkdtemp(folder) == NULL || chdir(folder) != 0)
		return 1;
	for (int i = 0; i < FILE_ACTION; i++)
		if (mkdir(actions[i], 0700) != 0)
			return 1;
	return fclose(fopen(actions[FILE_ACTION], "we"));
}

static int remove_actions(void **state)
{
	(void)state;
	for (int i = 0; i < ACTIONS; i++)
		remove(actions[i]);
	return chdir("/") != 0 || rmdir(folder) != 0;
}

static void expect(const char *cut, size_t start, const char *whole)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "%s", cut);
	complete_name(name, start, folder);
	assert_string_equal(name, whole);
}

static void a_cut_name_becomes_whole(void **state)
{
	(void)state;
	expect("irq/38-virtio1-", 7, "irq/38-virtio1-"); /* two actions begin so */
	expect("irq/3-virtio1-i", 6, "irq/3-virtio1-input.0");
	expect("irq/3-s-virtio1", 8, "irq/3-s-virtio1"); /* two actions */
	expect("irq/38-virtio2-", 7, "irq/38-virtio2-"); /* no action */
	expect("irq/123-smp_aff", 8, "irq/123-smp_aff"); /* a file, not an action */
}

static void a_short_name_is_whole(void **state)
{
	(void)state;
	expect("irq/38-eh", 7, "irq/38-eh");
}

static void without_the_interrupt_it_stays(void **state)
{
	char name[NAME_BYTES] = "irq/3-virtio1-i";

	(void)state;
	complete_name(name, 6, "/no/such/folder");
	assert_string_equal(name, "irq/3-virtio1-i");
}

static void an_interrupt_has_a_folder_and_one_for_each_action(void **state)
{
	(void)state;
	assert_int_equal(mkdir("irq", 0700), 0);
	assert_int_equal(mkdir("irq/38", 0700), 0);
	assert_int_equal(mkdir("irq/38/eth0-rx", 0700), 0);
	assert_int_equal(fclose(fopen("irq/38/node", "we")), 0);
	assert_true(has_interrupt("irq", "irq/38-eth0-rx"));
	assert_true(has_interrupt("irq", "irq/*-eth0-rx"));
	assert_false(has_interrupt("irq", "irq/3-eth0-rx"));
	assert_false(has_interrupt("irq", "irq/381-eth0-rx"));
	assert_false(has_interrupt("irq", "irq/*-eth0"));
	assert_false(has_interrupt("irq", "irq/*-node"));
	assert_false(has_interrupt("irq", "irq/38-"));
	assert_false(has_interrupt("irq", "irq/38"));
	assert_false(has_interrupt("/no/such/folder", "irq/38-eth0-rx"));
	assert_int_equal(remove("irq/38/node"), 0);
	assert_int_equal(rmdir("irq/38/eth0-rx"), 0);
	assert_int_equal(rmdir("irq/38"), 0);
	assert_int_equal(rmdir("irq"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cut_name_becomes_whole),
		cmocka_unit_test(a_short_name_is_whole),
		cmocka_unit_test(without_the_interrupt_it_stays),
		cmocka_unit_test(an_interrupt_has_a_folder_and_one_for_each_action),
	};

	return cmocka_run_group_tests(tests, make_actions, remove_actions);
}
