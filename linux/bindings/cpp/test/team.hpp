/* SPDX-License-Identifier: MIT */
#ifndef PLAFOND_TEST_TEAM_HPP
#define PLAFOND_TEST_TEAM_HPP

/*
 * As team.h of linux/lib/test, for C++: the main thread of a test is LOW on CPU 0.
 */
#include <plafond.hpp>

#include <atomic>
#include <csetjmp>
#include <cstdarg>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>
#include <thread>
#include <unistd.h>

extern "C" {
#include "../../../lib/test/supervise.h"

#include <cmocka.h>

/* Of team.h: does that thread of this process sleep in the kernel? */
bool is_asleep(int tid);
}

enum { LOW = 10, CPU = 0 };

using namespace std::chrono_literals;

/* Sleep until it holds, which takes as long as the machine is busy with others. */
template <class Predicate> void await(Predicate holds)
{
	while (!holds())
		std::this_thread::sleep_for(1ms); /* no wait of the library */
}

/*
 * An attached thread that lives for `body`; an exception that leaves it ends the test. Once it is
 * made, it sleeps, or has ended.
 */
class member
{
      public:
	member(int priority, std::function<void()> body)
	    : thread_([this, priority, body = std::move(body)] {
		      tid = gettid();
		      {
			      plafond::attachment place(priority, CPU, test_flags);

			      body();
		      }
		      has_ended_ = true;
	      })
	{
		await([this] { return has_ended_ || (tid != 0 && is_asleep(tid)); });
	}
	~member()
	{
		thread_.join();
	}
	member(const member &) = delete;

	std::atomic<pid_t> tid = 0;

      private:
	std::atomic<bool> has_ended_ = false;
	std::thread thread_;
};

/* Run `body` in a thread that the library does not know. */
inline void in_stranger(std::function<void()> body)
{
	std::thread(std::move(body)).join();
}

template <class Call> void assert_throws(std::errc expected, Call call)
{
	try {
		call();
	} catch (const std::system_error &error) {
		assert_true(error.code() == expected);
		assert_true(error.code().category() == plafond::error_category());
		return;
	}
	fail_msg("no exception; expected %s", std::make_error_code(expected).message().c_str());
}

enum { TERMINATED = 42 };

/* Of a child that is to end in std::terminate(): the error and the words of its exception. */
inline std::errc last_error;
inline const char *last_words;

[[noreturn]] inline void judge_exception()
{
	try {
		std::rethrow_exception(std::current_exception());
	} catch (const std::system_error &error) {
		if (error.code() == last_error && std::strstr(error.what(), last_words) != nullptr)
			_exit(TERMINATED);
	}
	_exit(1);
}

/* Run `body` in a child, which must end in std::terminate() with that exception in flight. */
inline void assert_terminates(std::errc error, const char *words, void (*body)())
{
	const std::terminate_handler before = std::set_terminate(judge_exception);

	last_error = error;
	last_words = words;
	assert_int_equal(in_child(body), TERMINATED);
	std::set_terminate(before);
}

/* Setup and teardown: main attached at LOW. */
inline std::optional<plafond::attachment> main_thread;

inline int attach_main(void **)
{
	main_thread.emplace(LOW, CPU, test_flags);
	return 0;
}

inline int detach_main(void **)
{
	main_thread.reset();
	return 0;
}

#define team_test(f) cmocka_unit_test_setup_teardown(f, attach_main, detach_main)

#endif
