/* SPDX-License-Identifier: MIT */
#ifndef TESTS_H
#define TESTS_H

/* The tests, and the parts that some of them run. */

/* lazy.c */
void every_real_time_thread_is_lazy(void **state);
void frames_where_they_are_wanted(void **state);
void eager_without_the_device(void **state);
int part_lock(const char *detail);

/* strangers.c */
void a_stranger_waits_for_the_end(void **state);
void nor_does_the_clock_let_it_in(void **state);
int part_be_woken(char **argv);
int part_look_in(char **argv);

/* kernel.c */
void a_sleeper_is_at_its_ceiling(void **state);
void a_caller_that_asks_is_raised(void **state);
void the_policy_stays_the_programs(void **state);
void also_at_the_ceiling(void **state);

/* nested.c */
void the_highest_open_one_counts(void **state);
void deeper_than_any_account(void **state);

/* preempted.c */
void a_preempted_owner_is_raised(void **state);

/* scheduling.c */
void a_changed_base_waits_for_the_end(void **state);
void a_base_may_change_at_any_moment(void **state);

/* processes.c */
void a_child_of_fork_is_lazy_again(void **state);
void a_thread_may_end_inside(void **state);
void a_ceiling_is_not_inherited(void **state);
int part_fork(const char *detail);

/* files.c */
void files_are_closed(void **state);
void the_device_is_gone(void **state);
int part_files(const char *detail);
int part_no_way_back(const char *detail);

/* words.c */
void a_program_has_words_of_its_own(void **state);
int part_words(const char *when);

/* privilege.c */
void the_limit_holds(void **state);
int part_privilege(const char *detail);

#endif
