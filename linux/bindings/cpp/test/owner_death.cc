/* SPDX-License-Identifier: MIT */
/* A thread ends inside a section: a lock that throws leaves the mutex unlocked, and a repair
 * saves the data. */
#include "team.hpp"

namespace
{

/* Abandon a locked mutex: no guard unlocks it, and the thread ends without detaching.
 */
void die_inside(int priority, plafond::mutex &mutex, plafond::condition_variable *cond = nullptr)
{
	in_stranger([=, &mutex] {
		if (plf_attach(priority, CPU, test_flags) != 0)
			fail_msg("plf_attach");
		mutex.lock();
		if (cond != nullptr)
			cond->notify_one();
	});
}

void assert_free(plafond::mutex &mutex)
{
	std::lock_guard guard(mutex);
}

void assert_not_recoverable(plafond::mutex &mutex)
{
	assert_throws(std::errc::state_not_recoverable, [&] { mutex.lock(); });
	assert_throws(std::errc::state_not_recoverable, [&] { (void)mutex.try_lock(); });
	assert_throws(std::errc::state_not_recoverable, [&] { mutex.lock([] {}); });
}

void lock_throws_and_leaves_it_not_recoverable(void **)
{
	plafond::mutex mutex(40);

	die_inside(20, mutex);
	assert_throws(std::errc::owner_dead, [&] { std::lock_guard guard(mutex); });
	assert_not_recoverable(mutex);
}

void try_lock_throws_likewise(void **)
{
	plafond::mutex mutex(40);

	die_inside(20, mutex);
	assert_throws(std::errc::owner_dead, [&] { (void)mutex.try_lock(); });
	assert_not_recoverable(mutex);
}

void lock_with_a_repair_goes_on(void **)
{
	plafond::mutex mutex(40);
	int repairs = 0;
	const auto repair = [&repairs] { repairs++; };

	die_inside(20, mutex);
	mutex.lock(repair);
	{
		std::lock_guard guard(mutex, std::adopt_lock);

		assert_int_equal(repairs, 1);
		assert_throws(std::errc::resource_deadlock_would_occur, [&] { mutex.lock(); });
	}
	mutex.lock(repair); /* nothing to repair now */
	mutex.unlock();
	assert_int_equal(repairs, 1);
	assert_free(mutex);
}

void repair_that_throws_leaves_it_not_recoverable(void **)
{
	plafond::mutex mutex(40);

	die_inside(20, mutex);
	try {
		mutex.lock([] { throw 1; });
		fail_msg("no exception");
	} catch (int) {
	}
	assert_not_recoverable(mutex);
}

/* The lock owns the mutex after the exception, so the waiter may repair the data or unlock. */
void wait_throws_with_the_mutex_locked(void **)
{
	plafond::mutex mutex(40);
	plafond::condition_variable cond;
	bool is_owned = false;

	{
		member waiter(20, [&] {
			std::unique_lock lock(mutex);

			assert_throws(std::errc::owner_dead, [&] { cond.wait(lock); });
			is_owned = lock.owns_lock();
			mutex.consistent();
			assert_throws(std::errc::invalid_argument, [&] { mutex.consistent(); });
		});
		die_inside(30, mutex, &cond);
	}
	assert_true(is_owned);
	assert_free(mutex);
}

void wait_that_is_not_repaired_leaves_it_not_recoverable(void **)
{
	plafond::mutex mutex(40);
	plafond::condition_variable cond;

	{
		member waiter(20, [&] {
			std::unique_lock lock(mutex);

			assert_throws(std::errc::owner_dead,
				      [&] { (void)cond.wait_for(lock, 10s); });
		});
		die_inside(30, mutex, &cond);
	}
	assert_not_recoverable(mutex);
}

int tests()
{
	const CMUnitTest all[] = {
		team_test(lock_throws_and_leaves_it_not_recoverable),
		team_test(try_lock_throws_likewise),
		team_test(lock_with_a_repair_goes_on),
		team_test(repair_that_throws_leaves_it_not_recoverable),
		team_test(wait_throws_with_the_mutex_locked),
		team_test(wait_that_is_not_repaired_leaves_it_not_recoverable),
	};

	return cmocka_run_group_tests_name("owner_death", all, nullptr, nullptr);
}

} // namespace

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
