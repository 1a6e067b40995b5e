/* SPDX-License-Identifier: MIT */
/* The error category, attachments, and objects that are destroyed while they are in use. */
#include "team.hpp"

#include <memory>

namespace
{

void category_has_the_words_of_the_library(void **)
{
	const std::error_code moved(EXDEV, plafond::error_category());

	assert_string_equal(moved.category().name(), "plafond");
	for (int error : { EXDEV, EDEADLK, EOWNERDEAD, EPERM })
		assert_string_equal(plafond::error_category().message(error).c_str(),
				    plf_strerror(error));
	assert_true(moved == std::errc::cross_device_link);
	assert_true(moved != std::errc::operation_not_permitted);
	assert_true(moved != std::error_code(EXDEV, std::generic_category()));
}

void exception_names_the_call_and_the_error(void **)
{
	static plafond::mutex mutex(40);

	try {
		mutex.lock();
		fail_msg("no exception");
	} catch (const std::system_error &error) {
		assert_string_equal(error.what(), "plafond::mutex::lock: Operation not permitted");
	}
}

void thread_is_attached_while_the_attachment_lives(void **)
{
	assert_string_equal(plf_backend(), "none");
	{
		plafond::attachment place(LOW, CPU, test_flags);

		assert_string_not_equal(plf_backend(), "none");
		assert_throws(std::errc::connection_already_in_progress,
			      [] { plafond::attachment again(LOW, CPU, test_flags); });
		assert_string_not_equal(plf_backend(), "none");
	}
	assert_string_equal(plf_backend(), "none");
	assert_throws(std::errc::invalid_argument, [] { plafond::attachment none(100, CPU); });
}

void end_an_attachment_inside_a_section()
{
	static plafond::mutex mutex(40);
	plafond::attachment place(LOW, CPU, test_flags);

	mutex.lock();
}

void end_the_attachment_of_another_thread()
{
	auto place = std::make_unique<plafond::attachment>(LOW, CPU, test_flags);

	std::thread([&place] { place.reset(); }).join();
}

void attachment_that_cannot_end_terminates(void **)
{
	assert_terminates(std::errc::device_or_resource_busy, "plafond::~attachment",
			  end_an_attachment_inside_a_section);
	assert_terminates(std::errc::operation_not_permitted, "plafond::~attachment",
			  end_the_attachment_of_another_thread);
}

void end_a_condition_variable_with_a_waiter()
{
	static plafond::mutex mutex(40);
	plafond::attachment place(LOW, CPU, test_flags);
	std::optional<plafond::condition_variable> cond(std::in_place);
	member waiter(20, [&cond] {
		std::unique_lock lock(mutex);

		cond->wait(lock);
	});

	cond.reset();
}

void condition_variable_that_is_used_still_terminates(void **)
{
	assert_terminates(std::errc::device_or_resource_busy, "plafond::~condition_variable",
			  end_a_condition_variable_with_a_waiter);
}

int tests()
{
	const CMUnitTest all[] = {
		cmocka_unit_test(category_has_the_words_of_the_library),
		cmocka_unit_test(exception_names_the_call_and_the_error),
		cmocka_unit_test(thread_is_attached_while_the_attachment_lives),
		cmocka_unit_test(attachment_that_cannot_end_terminates),
		cmocka_unit_test(condition_variable_that_is_used_still_terminates),
	};

	return cmocka_run_group_tests_name("errors", all, nullptr, nullptr);
}

} // namespace

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
