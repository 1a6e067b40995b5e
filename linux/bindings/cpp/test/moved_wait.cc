/* SPDX-License-Identifier: MIT */
/* If a thread moves to another CPU while it waits, its lock must know that it owns no mutex. */
#include "team.hpp"

#include <sched.h>

namespace
{

void move(pid_t thread, std::size_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	assert_int_equal(sched_setaffinity(thread, sizeof(set), &set), 0);
}

plafond::mutex mutex(40);

/* A thread that is moved while it sleeps cannot lock the mutex until it is back on its CPU. */
void moved_in_the_wait_the_lock_owns_nothing(void **)
{
	plafond::condition_variable cond;
	bool is_owned = true;

	{
		member waiter(20, [&] {
			std::unique_lock lock(mutex);

			assert_throws(std::errc::cross_device_link, [&] { cond.wait(lock); });
			is_owned = lock.owns_lock();
			move(0, CPU);
			assert_ptr_equal(lock.mutex(), &mutex);
			lock.lock();
			assert_true(cond.wait_for(lock, 1ms) == std::cv_status::timeout);
		});

		move(waiter.tid, CPU + 1);
		cond.notify_one();
	}
	assert_false(is_owned);
}

/* If the thread moves before the wait, the wait is refused and the mutex stays locked. */
void moved_before_the_wait_the_lock_owns_the_mutex(void **)
{
	plafond::condition_variable fresh;
	std::unique_lock lock(mutex);

	move(0, CPU + 1);
	assert_throws(std::errc::cross_device_link, [&] { fresh.wait(lock); });
	move(0, CPU);
	assert_true(lock.owns_lock());
	assert_throws(std::errc::resource_deadlock_would_occur, [] { mutex.lock(); });
}

int tests()
{
	const CMUnitTest all[] = {
		team_test(moved_in_the_wait_the_lock_owns_nothing),
		team_test(moved_before_the_wait_the_lock_owns_the_mutex),
	};

	return cmocka_run_group_tests_name("moved_wait", all, nullptr, nullptr);
}

} // namespace

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
