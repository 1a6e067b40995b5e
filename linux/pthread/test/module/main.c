/* SPDX-License-Identifier: MIT */
/*
 * Guarantees of the drop-in only with plafond.ko. Sections of every real-time thread are lazy,
 * pinned or not. The kernel keeps out other processes, and threads without the hook. It knows the
 * ceiling of a thread that sleeps.
 */
#define _GNU_SOURCE
#include "../../../real_time/test/patience.h"
#include "module.h"
#include "part.h"
#include "tests.h"

#include <unistd.h>

#define module_test(f) cmocka_unit_test_setup(f, setup)

static const struct {
	const char *name;
	int (*run)(const char *detail);
	int (*run_stranger)(char **argv);
} parts[] = {
	{ "lock", part_lock, NULL },	     { "fork", part_fork, NULL },
	{ "files", part_files, NULL },	     { "no-way-back", part_no_way_back, NULL },
	{ "words", part_words, NULL },	     { "privilege", part_privilege, NULL },
	{ "be-woken", NULL, part_be_woken }, { "look-in", NULL, part_look_in },
};

static int run_named(size_t part, char **argv)
{
	if (parts[part].run_stranger != NULL)
		return parts[part].run_stranger(argv);
	setup(NULL);
	plf_end_if_hung();
	return parts[part].run(argv[2]);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		module_test(every_real_time_thread_is_lazy),
		module_test(frames_where_they_are_wanted),
		module_test(eager_without_the_device),
		module_test(a_stranger_waits_for_the_end),
		module_test(nor_does_the_clock_let_it_in),
		module_test(a_sleeper_is_at_its_ceiling),
		module_test(a_caller_that_asks_is_raised),
		module_test(the_policy_stays_the_programs),
		module_test(also_at_the_ceiling),
		module_test(the_highest_open_one_counts),
		module_test(deeper_than_any_account),
		module_test(a_preempted_owner_is_raised),
		module_test(a_changed_base_waits_for_the_end),
		module_test(a_base_may_change_at_any_moment),
		module_test(a_child_of_fork_is_lazy_again),
		module_test(a_thread_may_end_inside),
		module_test(a_ceiling_is_not_inherited),
		module_test(files_are_closed),
		module_test(the_device_is_gone),
		module_test(a_program_has_words_of_its_own),
		module_test(the_limit_holds),
	};

	return cmocka_run_group_tests_name("with the module", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(argv[1], parts[i].name) == 0)
			return run_named(i, argv);
	return run_team(argc, argv, tests);
}
