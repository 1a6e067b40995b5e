/* SPDX-License-Identifier: MIT */
/* Mutexes under guards of the standard library and of plafond.hpp. A refused unlock must
 * terminate. */
#include "team.hpp"

#include <semaphore.h>

namespace
{

plafond::mutex low(40), high(60), third(50);

void free_is(plafond::mutex &mutex)
{
	assert_true(mutex.try_lock());
	mutex.unlock();
}

void lock_guard_keeps_out_all_up_to_the_ceiling(void **)
{
	bool is_inside = false;

	{
		std::optional<member> other;
		std::unique_lock guard(low);

		other.emplace(40, [&is_inside] {
			std::lock_guard inner(low);

			is_inside = true;
		});
		assert_false(is_inside);
		guard.unlock();
	}
	assert_true(is_inside);
}

void unique_lock_and_an_exception_unlock(void **)
{
	std::unique_lock lock(low, std::defer_lock);

	assert_true(lock.try_lock());
	lock.unlock();
	lock.lock();
	lock.unlock();
	try {
		std::scoped_lock one(low);

		throw 1;
	} catch (int) {
	}
	free_is(low);
}

void try_lock_is_false_where_it_would_sleep(void **)
{
	sem_t inside; /* a semaphore of plafond would keep the trier out */
	std::atomic<int> is_locked = -1;

	assert_int_equal(sem_init(&inside, 0, 0), 0);
	member other(40, [&] {
		sem_wait(&inside);
		is_locked = low.try_lock();
	});
	std::lock_guard guard(low);

	sem_post(&inside);
	await([&] { return is_locked != -1; }); /* main sleeps inside, so the trier runs */
	assert_int_equal(is_locked, 0);
}

void timed_locks_of_a_free_mutex_lock(void **)
{
	const plafond::time_point times[] = { plafond::time_point(), plafond::time_point::min(),
					      plafond::clock::now(), plafond::time_point::max() };

	for (const plafond::time_point time : times) {
		assert_true(std::unique_lock(low, time).owns_lock());
		assert_true(std::unique_lock(low, time - plafond::clock::now()).owns_lock());
	}
	free_is(low);
}

void timed_locks_are_false_when_the_time_is_over(void **)
{
	plafond::time_point times[] = { plafond::time_point(), plafond::clock::now(),
					plafond::clock::now() + 3ms };
	sem_t may_leave;

	assert_int_equal(sem_init(&may_leave, 0, 0), 0);
	{
		member holder(20, [&] {
			std::lock_guard guard(low);

			sem_wait(&may_leave);
		});

		for (const plafond::time_point time : times) {
			assert_false(low.try_lock_until(time));
			assert_true(plafond::clock::now() >= time);
		}
		assert_false(std::unique_lock(low, -1s).owns_lock());
		assert_false(std::unique_lock(low, 2ms).owns_lock());
		sem_post(&may_leave);
	}
	free_is(low);
}

void refused_locks_throw(void **)
{
	const plafond::mutex across(plafond::global);
	plafond::mutex below(LOW - 1);

	assert_int_equal(low.ceiling(), 40);
	assert_throws(std::errc::invalid_argument, [&] { across.ceiling(); });
	assert_throws(std::errc::invalid_argument, [&] { below.lock(); });
	assert_throws(std::errc::invalid_argument, [&] { (void)below.try_lock(); });
	assert_throws(std::errc::invalid_argument, [&] { (void)below.try_lock_for(0s); });
	in_stranger([] {
		assert_throws(std::errc::operation_not_permitted, [] { low.lock(); });
		assert_throws(std::errc::operation_not_permitted, [] { (void)low.try_lock(); });
	});
	std::lock_guard guard(low);

	assert_throws(std::errc::resource_deadlock_would_occur, [] { low.lock(); });
	assert_throws(std::errc::resource_deadlock_would_occur, [] { (void)low.try_lock(); });
}

plafond::recursive_mutex recursive(40), recursive_across(plafond::global);

void recursive_one_is_left_by_the_last_guard(void **)
{
	for (plafond::recursive_mutex *mutex : { &recursive, &recursive_across }) {
		std::unique_lock<plafond::recursive_mutex> first(*mutex);

		{
			std::lock_guard<plafond::recursive_mutex> second(*mutex);

			assert_true(mutex->try_lock());
			assert_true(mutex->try_lock_for(0s));
			mutex->unlock();
			mutex->unlock();
		}
		assert_int_equal(plf_mutex_destroy(mutex->native_handle()), EBUSY);
		first.unlock();
		free_is(*mutex);
	}
	assert_int_equal(recursive.ceiling(), 40);
}

void recursive_one_terminates_at_one_unlock_too_many(void **)
{
	assert_terminates(std::errc::operation_not_permitted, "plafond::mutex::unlock", [] {
		recursive.lock();
		recursive.lock();
		recursive.unlock();
		recursive.unlock();
		recursive.unlock();
	});
}

void ceilings_are_from_1_to_99(void **)
{
	for (int ceiling : { 0, 100, -1 })
		assert_throws(std::errc::invalid_argument, [=] { plafond::mutex mutex(ceiling); });
	for (int ceiling : { 0, 100 })
		assert_throws(std::errc::invalid_argument,
			      [=] { plafond::recursive_mutex mutex(ceiling); });
}

void one_across_cpus_is_a_mutex(void **)
{
	static plafond::mutex across(plafond::global);
	std::lock_guard guard(across);

	assert_throws(std::errc::resource_deadlock_would_occur, [] { across.lock(); });
}

void scoped_lock_locks_all_and_unlocks_the_last_first(void **)
{
	{
		plafond::scoped_lock guard(high, low, third);

		for (plafond::mutex *mutex : { &low, &high, &third })
			assert_throws(std::errc::resource_deadlock_would_occur,
				      [=] { mutex->lock(); });
	}
	{
		plafond::scoped_lock guard(third, low, high);
	}
	for (plafond::mutex *mutex : { &low, &high, &third })
		free_is(*mutex);
}

/* Both locks would fail. The error is that of the first address, in either argument order. */
void scoped_lock_locks_in_the_order_of_addresses(void **)
{
	plafond::mutex mutexes[] = { plafond::mutex(40), plafond::mutex(LOW - 1) };
	std::lock_guard held(mutexes[0]);

	assert_throws(std::errc::resource_deadlock_would_occur,
		      [&] { plafond::scoped_lock guard(mutexes[0], mutexes[1]); });
	assert_throws(std::errc::resource_deadlock_would_occur,
		      [&] { plafond::scoped_lock guard(mutexes[1], mutexes[0]); });
}

void refused_scoped_lock_locks_none(void **)
{
	plafond::mutex mutexes[] = { plafond::mutex(40), plafond::mutex(LOW - 1) };

	assert_throws(std::errc::invalid_argument,
		      [&] { plafond::scoped_lock guard(mutexes[0], mutexes[1]); });
	free_is(mutexes[0]);
	assert_throws(std::errc::resource_deadlock_would_occur,
		      [] { plafond::scoped_lock guard(low, low); });
	free_is(low);
}

void unlock_first_in_first_out()
{
	low.lock();
	high.lock();
	low.unlock();
}

void unlock_what_is_not_locked()
{
	low.unlock();
}

void end_guards_first_in_first_out()
{
	std::optional<std::lock_guard<plafond::mutex>> first(low), second(high);

	first.reset();
}

/* Two other mutexes before two of plafond: the only order of both kinds that compiles. */
void leave_a_std_scoped_lock()
{
	std::mutex one, other;
	std::scoped_lock guard(one, other, low, high);
}

void unlock_that_is_refused_terminates(void **)
{
	for (auto *body : { unlock_first_in_first_out, unlock_what_is_not_locked,
			    end_guards_first_in_first_out, leave_a_std_scoped_lock })
		assert_terminates(std::errc::operation_not_permitted, "plafond::mutex::unlock",
				  body);
}

int tests()
{
	const CMUnitTest all[] = {
		team_test(lock_guard_keeps_out_all_up_to_the_ceiling),
		team_test(unique_lock_and_an_exception_unlock),
		team_test(try_lock_is_false_where_it_would_sleep),
		team_test(timed_locks_of_a_free_mutex_lock),
		team_test(timed_locks_are_false_when_the_time_is_over),
		team_test(refused_locks_throw),
		team_test(recursive_one_is_left_by_the_last_guard),
		team_test(recursive_one_terminates_at_one_unlock_too_many),
		team_test(ceilings_are_from_1_to_99),
		team_test(one_across_cpus_is_a_mutex),
		team_test(scoped_lock_locks_all_and_unlocks_the_last_first),
		team_test(scoped_lock_locks_in_the_order_of_addresses),
		team_test(refused_scoped_lock_locks_none),
		team_test(unlock_that_is_refused_terminates),
	};

	return cmocka_run_group_tests_name("sections", all, nullptr, nullptr);
}

} // namespace

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
