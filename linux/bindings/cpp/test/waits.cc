/* SPDX-License-Identifier: MIT */
/* Condition variables, semaphores and sleeps. After an error of a wait, the lock must know whether
 * it owns the mutex. */
#include "team.hpp"

#include <climits>
#include <csignal>
#include <sys/time.h>

namespace
{

plafond::mutex mutex(40);
int value;

/* The waiter waits on after the first notification, because its predicate is still false. */
template <class Wait> void be_notified_twice(Wait wait)
{
	plafond::condition_variable cond;
	bool is_owned = false;

	value = 0;
	{
		member waiter(20, [&] {
			std::unique_lock lock(mutex);

			wait(cond, lock, [] { return value == 2; });
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

void notify_wakes_the_waiter(void **)
{
	be_notified_twice([](auto &cond, auto &lock, auto is_two) { cond.wait(lock, is_two); });
	be_notified_twice([](auto &cond, auto &lock, auto is_two) {
		assert_true(cond.wait_for(lock, 1h, is_two));
	});
}

/* Notifications come every 2 ms, but the waits for the predicate must end after 50 ms in all. */
void notifications_do_not_prolong_a_wait(void **)
{
	constexpr int most = 50 / 2 + 2;
	plafond::condition_variable cond;
	std::atomic<bool> is_over = false;
	std::atomic<int> asked = 0;
	member waiter(20, [&] {
		std::unique_lock lock(mutex);

		assert_false(cond.wait_for(lock, 50ms, [&asked] { return ++asked < 0; }));
		is_over = true;
	});

	while (!is_over && asked <= most) {
		cond.notify_one();
		std::this_thread::sleep_for(2ms);
	}
	assert_true(asked <= most);
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
	int asked = 0;

	assert_true(cond.wait_until(lock, until) == std::cv_status::timeout);
	assert_true(plafond::clock::now() >= until);
	assert_true(cond.wait_for(lock, -1s) == std::cv_status::timeout);
	assert_true(cond.wait_until(lock, plafond::time_point::min()) == std::cv_status::timeout);
	assert_false(cond.wait_for(lock, 1ms, never));
	assert_false(cond.wait_until(lock, until, never));
	assert_true(cond.wait_for(lock, 1ms, [] { return true; }));
	assert_true(cond.wait_for(lock, 1ms, [&] { return ++asked == 2; })); /* now it is true */
	assert_true(lock.owns_lock());
	assert_throws(std::errc::resource_deadlock_would_occur, [] { mutex.lock(); });
}

/* The thread may wait only with the lock that owns the mutex. A second lock of that mutex, and a
 * lock that was moved from, are refused. */
void only_the_lock_that_owns_may_wait(void **)
{
	plafond::condition_variable cond;
	std::unique_lock first(mutex);
	std::unique_lock second(mutex, std::defer_lock);

	assert_throws(std::errc::operation_not_permitted,
		      [&] { (void)cond.wait_for(second, 1ms); });
	second = std::move(first);
	assert_throws(std::errc::operation_not_permitted, [&] { (void)cond.wait_for(first, 1ms); });
	assert_true(cond.wait_for(second, 1ms) == std::cv_status::timeout);
	assert_true(second.owns_lock());
	assert_throws(std::errc::resource_deadlock_would_occur, [] { mutex.lock(); });
}

/* A wait that is refused at once leaves the mutex locked or unlocked as before. */
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
			     [&] { (void)semaphore.try_acquire_for(1ms); },
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
	assert_throws(std::errc::value_too_large,
		      [] { plafond::semaphore(SEM_VALUE_MAX).release(); });
}

volatile std::sig_atomic_t signals;

void count_signal(int)
{
	signals = signals + 1;
}

/* Sends SIGALRM every millisecond while it lives. */
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
	{
		member other(20, [&] {
			std::this_thread::sleep_for(5ms);
			semaphore.release();
		});

		semaphore.acquire(); /* main gets the signals, because it is the first thread */
	}
	assert_true(signals > 2);
}

void first_release_is_one_period_away(void **)
{
	const auto start = plafond::clock::now();
	plafond::periodic timer(5ms);

	timer.wait();
	assert_true(plafond::clock::now() >= start + 5ms);
	assert_int_equal(timer.missed(), 0);
}

void periodic_counts_the_releases_that_it_missed(void **)
{
	const auto start = plafond::clock::now();
	plafond::periodic late(start - 35ms, 10ms);

	late.wait();
	assert_true(plafond::clock::now() >= start + 5ms);
	assert_int_equal(late.missed(), 4);
	for (plafond::duration none : { 0ms, -1ms })
		assert_throws(std::errc::invalid_argument, [=] { plafond::periodic timer(none); });
}

int tests()
{
	const CMUnitTest all[] = {
		team_test(notify_wakes_the_waiter),
		team_test(notifications_do_not_prolong_a_wait),
		team_test(notify_all_wakes_all_and_the_longest_time_is_no_overflow),
		team_test(time_over_is_a_timeout_with_the_mutex_locked),
		team_test(only_the_lock_that_owns_may_wait),
		team_test(refused_wait_keeps_the_mutex_locked),
		team_test(unattached_threads_are_refused),
		team_test(semaphore_counts),
		team_test(signal_handlers_end_no_wait),
		team_test(first_release_is_one_period_away),
		team_test(periodic_counts_the_releases_that_it_missed),
	};

	return cmocka_run_group_tests_name("waits", all, nullptr, nullptr);
}

} // namespace

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
