/* SPDX-License-Identifier: MIT */
/* Condition variables, semaphores and sleeps; and the errors of a wait, after which the lock says
 * whether it is locked. */
#include "team.hpp"

#include <csignal>
#include <sys/time.h>

namespace
{

plafond::mutex mutex(40);
int value;

void notify_wakes_the_waiter(void **)
{
	plafond::condition_variable cond;
	bool is_owned = false;

	value = 0;
	{
		member waiter(20, [&] {
			std::unique_lock lock(mutex);

			cond.wait(lock, [] { return value == 2; });
			is_owned = lock.owns_lock();
		});

		for (int i = 1; i <= 2; i++) {
			assert_false(is_owned);
			{
				std::lock_guard guard(mutex);

				value = i;
			}
			cond.notify_one();
		}
	}
	assert_true(is_owned);
}

void notify_all_wakes_all_and_the_longest_time_is_no_overflow(void **)
{
	plafond::condition_variable cond;
	int woken = 0;
	const auto wait = [&] {
		std::unique_lock lock(mutex);

		assert_true(cond.wait_for(lock, plafond::duration::max()) ==
			    std::cv_status::no_timeout);
		woken++;
	};

	{
		member first(20, wait), second(20, wait);

		assert_int_equal(woken, 0);
		cond.notify_all();
	}
	assert_int_equal(woken, 2);
}

void time_over_is_a_timeout_with_the_mutex_locked(void **)
{
	plafond::condition_variable cond;
	std::unique_lock lock(mutex);
	const auto until = plafond::clock::now() + 5ms;
	const auto never = [] { return false; };

	assert_true(cond.wait_until(lock, until) == std::cv_status::timeout);
	assert_true(plafond::clock::now() >= until);
	assert_true(cond.wait_for(lock, -1s) == std::cv_status::timeout);
	assert_true(cond.wait_until(lock, plafond::time_point::min()) == std::cv_status::timeout);
	assert_false(cond.wait_for(lock, 1ms, never));
	assert_false(cond.wait_until(lock, until, never));
	assert_true(cond.wait_for(lock, 1ms, [] { return true; }));
	assert_true(lock.owns_lock());
	assert_throws(std::errc::resource_deadlock_would_occur, [] { mutex.lock(); });
}

/* Refused before it began: the mutex is as it was. */
void refused_wait_keeps_the_mutex_locked(void **)
{
	static plafond::mutex inner(40), across(plafond::global);
	plafond::condition_variable cond;
	std::unique_lock lock(mutex, std::defer_lock);

	assert_throws(std::errc::operation_not_permitted, [&] { cond.wait(lock); });
	assert_false(lock.owns_lock());
	lock = {};
	assert_throws(std::errc::operation_not_permitted, [&] { cond.wait(lock); });
	lock = std::unique_lock(mutex);
	{
		std::lock_guard guard(inner);

		assert_throws(std::errc::operation_not_permitted, [&] { cond.wait(lock); });
		assert_true(lock.owns_lock());
	}
	lock.unlock();
	std::unique_lock global_lock(across);

	assert_throws(std::errc::invalid_argument, [&] { cond.wait(global_lock); });
	assert_true(global_lock.owns_lock());
}

void unattached_threads_are_refused(void **)
{
	plafond::condition_variable cond;

	in_stranger([&] {
		plafond::periodic timer(1ms);
		plafond::semaphore semaphore(1);

		for (const std::function<void()> &call :
		     std::initializer_list<std::function<void()>> {
			     [&] { cond.notify_one(); }, [&] { cond.notify_all(); },
			     [&] { timer.wait(); }, [&] { semaphore.acquire(); },
			     [] { plafond::sleep_until(plafond::clock::now()); } })
			assert_throws(std::errc::operation_not_permitted, call);
	});
}

void semaphore_counts(void **)
{
	plafond::semaphore semaphore(1);
	const auto until = plafond::clock::now() + 5ms;
	bool taken = false;

	assert_true(semaphore.try_acquire());
	assert_false(semaphore.try_acquire());
	assert_false(semaphore.try_acquire_until(until));
	assert_true(plafond::clock::now() >= until);
	{
		member other(20, [&] {
			semaphore.acquire();
			assert_true(semaphore.try_acquire_for(10s));
			taken = true;
		});

		assert_false(taken);
		semaphore.release();
		semaphore.release();
	}
	assert_true(taken);
	assert_false(semaphore.try_acquire());
	assert_throws(std::errc::invalid_argument, [] { plafond::semaphore most(~0U); });
}

volatile std::sig_atomic_t signals;

void count_signal(int)
{
	signals = signals + 1;
}

/* Every millisecond, as long as it lives. */
class interruptions
{
      public:
	interruptions()
	{
		struct sigaction action = {};

		action.sa_handler = count_signal;
		signals = 0;
		sigaction(SIGALRM, &action, nullptr);
		set(1000);
	}
	~interruptions()
	{
		set(0);
	}
	interruptions(const interruptions &) = delete;

      private:
	static void set(suseconds_t us)
	{
		const itimerval timer = { { 0, us }, { 0, us } };

		setitimer(ITIMER_REAL, &timer, nullptr);
	}
};

void signal_handlers_end_no_wait(void **)
{
	plafond::semaphore semaphore;
	const auto start = plafond::clock::now();
	plafond::periodic timer(start + 10ms, 10ms);
	interruptions each_ms;

	timer.wait();
	assert_true(plafond::clock::now() >= start + 10ms);
	plafond::sleep_until(start + 15ms);
	assert_true(plafond::clock::now() >= start + 15ms);
	assert_false(semaphore.try_acquire_for(5ms));
	assert_true(plafond::clock::now() >= start + 20ms);
	assert_true(signals > 2);
}

void periodic_counts_the_releases_that_it_missed(void **)
{
	const auto start = plafond::clock::now();
	plafond::periodic late(start - 35ms, 10ms), timer(1ms);

	late.wait();
	assert_true(plafond::clock::now() >= start + 5ms);
	assert_int_equal(late.missed(), 4);
	timer.wait();
	for (plafond::duration none : { 0ms, -1ms })
		assert_throws(std::errc::invalid_argument, [=] { plafond::periodic timer(none); });
}

int tests()
{
	const CMUnitTest all[] = {
		team_test(notify_wakes_the_waiter),
		team_test(notify_all_wakes_all_and_the_longest_time_is_no_overflow),
		team_test(time_over_is_a_timeout_with_the_mutex_locked),
		team_test(refused_wait_keeps_the_mutex_locked),
		team_test(unattached_threads_are_refused),
		team_test(semaphore_counts),
		team_test(signal_handlers_end_no_wait),
		team_test(periodic_counts_the_releases_that_it_missed),
	};

	return cmocka_run_group_tests_name("waits", all, nullptr, nullptr);
}

} // namespace

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
